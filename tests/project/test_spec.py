"""The printed form of a method is its configuration."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagecut import BlockFusion, NTerms, SpecError, WholePage, extractor, segmenter
from pagecut.segmenters.block_fusion.fusion import SMOOTHINGS
from pagecut.spec import Configured, parse_spec


@given(st.floats(0, 1, allow_nan=False), st.sampled_from(SMOOTHINGS), st.integers(1, 10**6))
def test_every_configuration_parses_back_to_itself(
    threshold: float, smooth: str, line_width: int
) -> None:
    method = BlockFusion(threshold=threshold, smooth=smooth, line_width=line_width)  # type: ignore[arg-type]
    assert segmenter(str(method)) == method


@pytest.mark.parametrize(
    ("spec", "printed"),
    [
        ("block-fusion", "block-fusion"),
        (" block-fusion ( ) ", "block-fusion"),
        ("block-fusion(threshold=0.38)", "block-fusion"),
        ("block-fusion(threshold=.6)", "block-fusion(threshold=0.6)"),
        (
            'block-fusion(smooth="equal", threshold=0.5)',
            "block-fusion(threshold=0.5, smooth='equal')",
        ),
        ("word-wrap(line_width=40,)", "word-wrap(line_width=40)"),
        ("block-fusion(\n threshold=0.5\n)", "block-fusion(threshold=0.5)"),
    ],
)
def test_defaults_are_left_out_of_the_printed_form(spec: str, printed: str) -> None:
    assert str(segmenter(spec)) == printed


def test_the_parsed_object_is_the_method() -> None:
    assert segmenter("whole-page") == WholePage()
    assert extractor("n-terms(n=3)") == NTerms(n=3)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("block-fusoin", "no segmenter 'block-fusoin'; did you mean 'block-fusion'?"),
        ("MOSAIC", "no segmenter 'MOSAIC'; did you mean 'mosaic'?"),
        ("zzz", "there are: whole-page, word-wrap"),
        ("block-fusion(treshold=1)", "no parameter 'treshold'; did you mean 'threshold'?"),
        ("block-fusion(zzz=1)", "there are: threshold, smooth, line_width"),
        ("whole-page(x=1)", "whole-page has no parameter 'x'; it takes none"),
        ("block-fusion(threshold=2)", "threshold must lie in"),
        ("block-fusion(threshold='high')", "block-fusion"),
        ("block-fusion(threshold=None)", "block-fusion"),
        ("block-fusion(smooth=equal)", "strings in quotes"),
        ("block-fusion(0.5)", "parameters are name=value"),
        ("block-fusion(threshold)", "parameters are name=value"),
        ("block-fusion(threshold=)", "parameters are name=value"),
        ("block-fusion(threshold=1, threshold=0)", "parameters are name=value"),
        ("block-fusion(**{'threshold': 1})", "parameters are name=value"),
        ("block-fusion(*[1])", "parameters are name=value"),
        ("block-fusion(threshold=0.5", "not a spec: "),
        ("block-fusion)(", "not a spec: "),
        ("block-fusion() + f()", "parameters are name=value"),
        ("", "not a spec: "),
        ("()", "not a spec: "),
        ("7", "not a spec: "),
    ],
)
def test_a_wrong_spec_says_what_is_wrong(spec: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        segmenter(spec)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "arguments",
    [
        "threshold=__import__('os').system('true')",
        "threshold=open('x')",
        "threshold=(lambda: 1)()",
        "threshold=[x for x in (1,)]",
        "threshold=0.5) or f(x=1",
        "threshold=" + "(" * 5000,
        "threshold=" + "-" * 100_000 + "1",
        "threshold=" + "[" * 150 + "]" * 150,
        "threshold=9" + "9" * 10_000,
        "threshold='\0'",
        "\0=1",
        "threshold=\ud800",
        "threshold=0.5 # comment",
        "threshold=1 if True else 0",
        "threshold=f'{1}'",
        "threshold=1+1",
    ],
    ids=range(16),
)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_a_hostile_spec_is_a_spec_error(arguments: str) -> None:
    with pytest.raises(SpecError):
        segmenter(f"block-fusion({arguments})")


@given(st.text(max_size=40) | st.text(max_size=20).map(lambda text: f"block-fusion({text})"))
def test_any_text_parses_or_is_a_spec_error(spec: str) -> None:
    try:
        method = segmenter(spec)
    except SpecError:
        return
    assert segmenter(str(method)) == method


@dataclass(frozen=True, slots=True, kw_only=True)
class Needy(Configured):
    """Has a parameter without a default."""

    name: ClassVar[str] = "needy"

    size: int
    label: str = "it's"


def test_a_parameter_without_default_is_asked_for() -> None:
    with pytest.raises(SpecError, match=r"needs a value for size: needy\(size=…\)"):
        parse_spec("needy", {"needy": Needy}, "thing")
    method = parse_spec("needy(size=3)", {"needy": Needy}, "thing")
    assert str(method) == "needy(size=3)"
    assert parse_spec(str(Needy(size=1, label='"')), {"needy": Needy}, "thing").label == '"'


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("block-fusion(line_width=1.5)", "line_width must be a whole number, got 1.5"),
        ("block-fusion(line_width=True)", "line_width must be a whole number, got True"),
        ("block-fusion(threshold='a')", "threshold must be a number, got 'a'"),
        ("block-fusion(threshold=True)", "threshold must be a number, got True"),
        ("block-fusion(smooth=1)", "smooth must be a string in quotes, got 1"),
    ],
)
def test_a_value_of_another_kind_is_refused(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        segmenter(spec)


def test_a_whole_number_may_stand_for_any_number() -> None:
    assert segmenter("block-fusion(threshold=1)") == BlockFusion(threshold=1)


MODULE = """
from dataclasses import dataclass
from typing import ClassVar
from pagecut import Segmentation
from pagecut.page.text.lines import atomic_blocks
from pagecut.spec import Configured

@dataclass(frozen=True, slots=True, kw_only=True)
class EveryFew(Configured):
    name: ClassVar[str] = "every-few"
    paper: ClassVar[str] = ""
    needs: ClassVar[frozenset[str]] = frozenset()
    size: int = 3

    def segment(self, page):
        blocks = atomic_blocks(page)
        labels = [number // self.size for number in range(len(blocks))]
        return Segmentation.from_spans(page, blocks, labels, made_by=self)

class Plain:
    name = "plain"

    def segment(self, page):
        return None

@dataclass(frozen=True)
class Idle(Configured):
    name: ClassVar[str] = "idle"
    paper: ClassVar[str] = ""
    needs: ClassVar[frozenset[str]] = frozenset()

@dataclass(frozen=True)
class Failing(Idle):
    name: ClassVar[str] = "failing"

    def segment(self, page):
        return {}["key"]

@dataclass(frozen=True)
class Moody(EveryFew):
    name: ClassVar[str] = "moody"
    kind: "Unknown" = 1

    def __post_init__(self):
        raise RuntimeError("not today")
"""
ENTRY_POINTS = """
[pagecut.segmenters]
every-few = my_methods:EveryFew
every-many = my_methods:EveryFew
gone = no_such_module:Gone
plain = my_methods:Plain
idle = my_methods:Idle
moody = my_methods:Moody
failing = my_methods:Failing
ends = ends:Ends
whole = my_methods
odd = !!
mosaic = my_methods:EveryFew
"""


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """The environment of a process that finds a package with methods of its own."""
    (tmp_path / "my_methods.py").write_text(MODULE)
    (tmp_path / "ends.py").write_text("raise SystemExit('the end')")
    information = tmp_path / "my_methods-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: my-methods\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(ENTRY_POINTS)
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def run_python(
    arguments: list[str], environment: dict[str, str], html: str = ""
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, input=html, env=environment, capture_output=True, text=True)


def run_segment(spec: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = ["-m", "pagecut", "segment", "-", "--with", spec]
    return run_python(command, environment, "<p>one<p>two<p>three")


def test_methods_of_installed_packages_are_known_by_name(installed: dict[str, str]) -> None:
    done = run_segment("every-few(size=2)", installed)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["text"], row["made_by"]) for row in rows] == [
        ("one\ntwo", "every-few(size=2)"),
        ("three", "every-few(size=2)"),
    ]
    own = run_segment("mosaic", installed)
    assert own.returncode == 0
    assert '"made_by": "mosaic"' in own.stdout.replace('":"', '": "')


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("gone", "'gone' cannot be loaded from no_such_module:Gone, where an installed package"),
        ("every-many", "installed as 'every-many', but its name is 'every-few'"),
        ("every-fwe", "did you mean 'every-few'?"),
        ("plain", "'plain', but it is no dataclass that derives from pagecut.spec.Configured"),
        ("idle", "my_methods:Idle is installed as 'idle', but it has no segment()"),
        ("moody", "moody: not today"),
        ("failing", "-: failed by a fault of my_methods, please report it: KeyError: 'key'"),
        ("ends", "'ends' cannot be loaded from ends:Ends"),
        ("whole", "'whole' cannot be loaded from my_methods:,"),
        ("odd", "'odd' cannot be loaded from !!:,"),
    ],
)
def test_what_is_wrong_with_an_installed_method_is_said(
    spec: str, message: str, installed: dict[str, str]
) -> None:
    done = run_segment(spec, installed)
    assert done.returncode != 0
    assert message in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


LISTS = """
import json
from pagecut.evaluation.tasks import Blocks
from pagecut.viewer.controls import describe_controls
shown = [each["name"] for each in describe_controls()["segmenters"]]
print(json.dumps([shown, Blocks().usual(rendered=True), Blocks().usual(rendered=False)]))
"""


def test_broken_methods_of_installed_packages_are_left_out_of_lists(
    installed: dict[str, str],
) -> None:
    listed = run_python(["-m", "pagecut", "list", "--json"], installed)
    assert listed.returncode == 0, listed.stderr
    names = [json.loads(line)["name"] for line in listed.stdout.splitlines()]
    assert {"mosaic", "every-few", "item", "ari"} <= {*names}
    assert "'gone' cannot be loaded" in listed.stderr
    one = run_python(["-m", "pagecut", "list", "idle"], installed)
    assert one.returncode != 0
    assert "it has no segment()" in one.stderr
    lists = run_python(["-c", LISTS], installed)
    assert lists.returncode == 0, lists.stderr
    shown, *scored = json.loads(lists.stdout)
    assert "moody" in shown
    for usual in scored:
        assert "moody" not in usual
    for usual in shown, *scored:
        assert {"just-rules", "every-few"} <= {*usual}
        assert not {"gone", "plain", "idle", "ends", "whole", "odd", "every-many"} & {*usual}
