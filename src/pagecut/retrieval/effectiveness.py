"""How good a ranking is, by the measures of TREC, through ir_measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pagecut.errors import MissingExtra, SpecError

MEASURES: Final = ("AP", "P@10", "nDCG@10", "R@1000")


def score_run(
    judgements: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Mapping[str, float]],
    measures: Sequence[str] = MEASURES,
) -> dict[str, dict[str, float]]:
    """The score of each judged topic, by measure; a topic for which nothing was found has 0.

    Args:
        measures: in the spelling of ir_measures; the mean over topics of AP is MAP.
    """
    try:
        import ir_measures
    except ImportError as error:
        raise MissingExtra("ir_measures", "retrieval") from error
    parsed: dict[str, Any] = {}
    for name in measures:
        try:
            parsed[name] = ir_measures.parse_measure(name)
        except (NameError, ValueError, TypeError, SyntaxError) as error:
            raise SpecError(f"ir_measures has no measure {name!r}") from error
    scores = {name: dict.fromkeys(judgements, 0.0) for name in measures}
    names = {measure: name for name, measure in parsed.items()}
    for found in ir_measures.iter_calc(list(parsed.values()), _plain(judgements), _plain(run)):
        scores[names[found.measure]][found.query_id] = float(found.value)
    return scores


def _plain(table: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {topic: dict(rows) for topic, rows in table.items()}
