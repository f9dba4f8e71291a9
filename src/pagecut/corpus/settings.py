"""The settings of a corpus run: what it does with each page. They alone decide the rows."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Final, Literal

from pagecut.content.chunks import Chunks
from pagecut.content.formats import TEXT_FORMATS, check_format
from pagecut.content.line_model import Favour
from pagecut.content.main_text import MainText
from pagecut.contexts import DEFAULT_EXTRACTOR, Extractor, extractor
from pagecut.errors import FormatError
from pagecut.parsing.limits import DEFAULT_LIMITS, Limits
from pagecut.segmenters import DEFAULT_SEGMENTER, Segmenter, segmenter

if TYPE_CHECKING:
    from pagecut.segmenters.box_clustering import BoxClustering

Shape = Literal["tables", "obelics", "img2dataset", "templates"]
LEAST_MEMORY: Final = 256  # MiB; with less than 192, pages of usual size restart the worker
SHAPES: Final[tuple[Shape, ...]] = ("tables", "obelics", "img2dataset", "templates")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """Methods, as specs, and limits.

    Args:
        segment: segmenters; `main_segment` is one of the first's.
        images: image-context extractors.
        text: the main text of each page as "text" or "markdown"; "" for none.
        favour: "precision" for less main text that surely is, "recall" for more, "balance".
        metadata: also what each page says of itself.
        chunk: most characters of a chunk; 0 for no chunks.
        shape: "tables" for segments and images; "obelics" or "img2dataset" for those shapes
            of the images instead; "templates" for nothing but each page's template, and the
            threshold of box clustering that fits the page.
        every_element: of images; else "obelics" and "img2dataset" have each picture of a page once.
        min_confidence: of image contexts; those that are less likely right are left out.
        thresholds: a file with a threshold for each template, which box clustering takes.
        render: load each page into a browser first.
        size: most bytes of a page.
        seconds: most CPU time for a page; ten times as long by the clock.
        memory: most MiB of the process that works on a page.
        limit: at most so many pages of each input, what is not HTML not counted; 0 for all.
        columns: of a table, those that are kept, as "images=src,context"; of others, all. Several
            for one table are put together.
    """

    segment: tuple[str, ...] = (DEFAULT_SEGMENTER,)
    images: tuple[str, ...] = (DEFAULT_EXTRACTOR,)
    text: Literal["", "text", "txt", "markdown", "md"] = ""
    favour: Favour = "balance"
    metadata: bool = False
    chunk: int = 0
    shape: Shape = "tables"
    every_element: bool = False
    min_confidence: float = 0.0
    thresholds: str = ""
    render: bool = False
    size: int = DEFAULT_LIMITS.size
    seconds: float = 30.0
    memory: int = 2048
    limit: int = 0
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "segment", tuple(str(segmenter(each)) for each in self.segment))
        object.__setattr__(self, "images", tuple(str(extractor(each)) for each in self.images))
        for name in "segment", "images":
            if len(set(getattr(self, name))) < len(getattr(self, name)):
                raise ValueError(f"{name} names a method twice: {', '.join(getattr(self, name))}")
        methods: list[Segmenter | Extractor] = [segmenter(each) for each in self.segment]
        methods += [extractor(each) for each in self.images]
        for method in methods:
            if method.needs and not self.render:
                needs = ", ".join(sorted(method.needs))
                raise ValueError(
                    f"{method} needs {needs}, which only rendered pages have: --render, or "
                    "render=True"
                )
        if self.text != "":  # by one name, so that a run may be resumed by the other
            object.__setattr__(self, "text", check_format(self.text, TEXT_FORMATS, "text"))
        MainText(favour=self.favour)
        if self.shape not in SHAPES:
            raise ValueError(f"shape must be one of {', '.join(SHAPES)}, got {self.shape!r}")
        if self.shape in ("obelics", "img2dataset") and len(self.images) != 1:
            raise ValueError(f"{self.shape} needs one image-context extractor")
        if self.shape == "templates" or self.thresholds:
            self.box_clustering  # noqa: B018  (raises where there is none)
        if self.chunk:
            Chunks(size=self.chunk)
        if not 0 <= self.min_confidence <= 1:
            raise ValueError(f"min_confidence must lie in [0, 1], got {self.min_confidence}")
        for name, least in ("seconds", 0.01), ("memory", LEAST_MEMORY), ("limit", 0):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}, got {getattr(self, name)}")
        Limits(size=self.size)
        object.__setattr__(self, "columns", _merged(self.columns))

    def columns_of(self, table: str) -> frozenset[str] | None:
        """The columns of a table that are kept; None for all."""
        for each in self.columns:
            name, _, columns = each.partition("=")
            if name == table:
                return frozenset(columns.split(","))
        return None

    @property
    def box_clustering(self) -> BoxClustering:
        """The one that is to cut by template."""
        from pagecut.segmenters.box_clustering import BoxClustering

        found = [segmenter(each) for each in self.segment]
        chosen = [each for each in found if isinstance(each, BoxClustering)]
        if len(chosen) != 1:
            raise ValueError(
                "one threshold per template goes with one box-clustering, not with "
                + (", ".join(self.segment) or "no segmenter")
            )
        return chosen[0]

    @property
    def limits(self) -> Limits:
        return Limits(size=self.size)

    def to_json(self) -> dict[str, Any]:
        """As plain values, from which `from_json` makes the same settings."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> RunSettings:
        known = {each.name for each in fields(cls)}
        if not isinstance(value, dict) or not set(value) <= known:
            raise FormatError(f"not the settings of a run: {value!r:.200}")
        values: dict[str, Any] = {
            name: tuple(v) if isinstance(v, list) else v for name, v in value.items()
        }
        return cls(**values)

    @property
    def digest(self) -> str:
        """A short hash, equal for two settings only if they give the same rows."""
        default = RunSettings().to_json()  # a setting that comes later changes no older run
        changed = {name: v for name, v in self.to_json().items() if v != default[name]}
        text = json.dumps(changed, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def _merged(columns: tuple[str, ...]) -> tuple[str, ...]:
    """One choice for each table, with all columns that were named for it."""
    tables: dict[str, list[str]] = {}
    for each in columns:
        table, equals, names = each.partition("=")
        tables.setdefault(table + equals, []).append(names)
    return tuple(table + ",".join(names) for table, names in tables.items())
