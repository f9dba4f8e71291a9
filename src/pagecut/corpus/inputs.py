"""What a run reads: files, globs, folders, path lists, indexes of records; local or remote."""

from __future__ import annotations

import json
import posixpath
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final

from pagecut.corpus.files import (
    InputFile,
    absolute,
    base_name,
    file_size,
    filesystem_of,
    is_remote,
)
from pagecut.errors import FormatError
from pagecut.parsing.sources import PAGE_FILE, FolderFiles, files_below, unpack

# A list of all archives of a crawl has 100,000 lines in 14 MB.
_MOST_LIST: Final = 128 * 2**20
_MOST_LINES: Final = 1_000_000
_NAMED: Final = 3  # inputs in a message about all of them
_ARCHIVE = re.compile(r"\.warc(?:\.gz|\.zst)?$", re.IGNORECASE)
_TAKEN = re.compile(f"{_ARCHIVE.pattern}|{PAGE_FILE.pattern}", re.IGNORECASE)
_LIST = re.compile(r"\.(?:paths|txt|lst)(?:\.gz)?$", re.IGNORECASE)
_INDEX = re.compile(r"\.(?:cdxj?|jsonl)(?:\.gz)?$", re.IGNORECASE)
_GLOB = re.compile(r"[*?\[]")
_CDX_FIELDS: Final = 11  # … length, offset, file name
# In a line of JSON: as CDX has them; as our tables and the columnar index of Common Crawl do.
_NAMES: Final = (("filename", "offset"), ("warc_filename", "warc_record_offset"))
_JSON = re.compile(r"(?:^|(?<=\s))\{.*")  # not in a key, whose address may have a brace
_MOST_OFFSET: Final = 2**63 - 1  # that a table can hold


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """What is read by one worker, and becomes one shard: an archive, a part of one, or pages.

    Args:
        name: in the tables and in shard names.
        path: of an archive; empty for plain pages and single records.
        files: name and path of each plain page.
        records: name, path and offset of single records of archives.
        part: number of the part of an archive, from 1; 0 for all of it.
        start, end: bytes of the archive in which the records of the part start; None for its end.
        exact: whether a record starts at `start`; else the next one is looked for.
    """

    name: str
    path: str = ""
    files: tuple[tuple[str, str], ...] = ()
    records: tuple[tuple[str, str, int], ...] = ()
    part: int = 0
    start: int = 0
    end: int | None = None
    exact: bool = True

    @property
    def paths(self) -> list[str]:
        """Of the files that are read whole, or in part; none for single records."""
        return [path for _, path in self.files] or ([self.path] if self.path else [])

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Input:
        files = tuple((name, path) for name, path in value["files"])
        records = tuple((name, path, offset) for name, path, offset in value["records"])
        return cls(**(value | {"files": files, "records": records}))


@dataclass(slots=True)
class Found:
    """What the arguments of a run stand for.

    Args:
        inputs: archives each by itself, pages of a folder or of an index together.
        skipped: files in folders that are neither pages nor archives, by the ending.
    """

    inputs: list[Input] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)


def single_input(path: str | Path) -> Input:
    """A file or a folder as one input, whatever its size."""
    text = str(path)
    if _is_folder(text):
        pages, archives = _pages_and_archives(text, _files_below(text))
        if archives:
            raise FormatError(f"{text}: holds archives; give them one by one, or use pagecut run")
        return Input(name=base_name(absolute(text)), files=tuple(pages))
    name = base_name(text)
    return (
        Input(name=name, files=((name, absolute(text)),))
        if PAGE_FILE.search(name)
        else Input(name=name, path=text)
    )


def expand_inputs(
    sources: Iterable[str],
    prefix: str = "",
    *,
    follow_links: bool = False,
    on_folder: Callable[[str, FolderFiles], object] = lambda _folder, _files: None,
) -> Found:
    """The inputs that the arguments of a run stand for.

    Args:
        sources: archives, pages, globs, folders, lists with a path per line (`.paths.gz`), or
            indexes of records (`.cdxj`, `.cdx`, `.jsonl`).
        prefix: put before the paths in lists and indexes, e.g. "s3://commoncrawl/".
        follow_links: also take files outside a folder that links in it lead to.
        on_folder: is given each folder and what was found in it.
    """
    sources = list(sources)
    found = Found()
    loose: list[tuple[str, str]] = []
    for source in sources:
        if _is_folder(source):
            below = _files_below(source, follow_links=follow_links)
            on_folder(source, below)
            pages, archives = _pages_and_archives(source, below)
            found.inputs.extend(Input(name=name, path=path) for name, path in archives)
            if pages:
                found.inputs.append(Input(name=base_name(absolute(source)), files=tuple(pages)))
            found.skipped += Counter({end or "(none)": n for end, n in below.others.items()})
        else:
            found.inputs.extend(_expand(source, prefix, loose))
    if loose:
        found.inputs.append(Input(name="files", files=tuple(loose)))
    _refuse_twins(found.inputs)
    if not found.inputs:
        named = ", ".join(sources[:_NAMED]) + (", …" if len(sources) > _NAMED else "")
        raise FormatError(
            f"{named}: no web archive (.warc, .warc.gz, .warc.zst) and no HTML file "
            "(.html, .htm, .xhtml, also with .gz) is there"
        )
    return found


def _refuse_twins(inputs: Iterable[Input]) -> None:
    seen: dict[str, str] = {}
    paths: set[str] = set()
    for each in inputs:
        if each.name in seen:
            if each.path and each.path == seen[each.name]:
                raise FormatError(f"{each.path}: is given twice")
            remedy = "give the folder above them instead" if each.path else "rename one of them"
            raise FormatError(f"two inputs have the name {each.name}; {remedy}")
        seen[each.name] = each.path
        for path in [path for _, path in each.files]:
            if path in paths:
                raise FormatError(f"{path}: is given twice")
            paths.add(path)


def _is_folder(path: str) -> bool:
    if not is_remote(path):
        return Path(path).is_dir()
    if _GLOB.search(path) or any(
        kind.search(path) for kind in (_ARCHIVE, PAGE_FILE, _LIST, _INDEX)
    ):
        return False
    filesystem, inner = filesystem_of(path)
    return bool(filesystem.isdir(inner))


def _expand(source: str, prefix: str, loose: list[tuple[str, str]]) -> Iterator[Input]:
    remote = is_remote(source)
    if (mark := _GLOB.search(source)) and not (not remote and Path(source).exists()):
        root = source[: mark.start()].rpartition("/")[0]
        paths = _matching(source)
        if not paths:
            raise FormatError(f"{source}: matches no file")
        for path in paths:
            name = path.removeprefix(root).lstrip("/") if root else path
            yield from _one(name, path, loose)
    elif _LIST.search(source):
        base = _base(source, prefix)
        for _, line in _lines(source):
            if not line.startswith("#"):
                yield Input(name=line, path=_joined(base, line))
    elif _INDEX.search(source):
        base = _base(source, prefix)
        records = [
            (name, _joined(base, name), offset) for name, offset in sorted(set(_indexed(source)))
        ]
        yield Input(name=base_name(source), records=tuple(records))
    else:
        if not remote and not Path(source).is_file():
            raise FormatError(
                f"{source}: no such file or folder; give web archives, HTML files, folders of them "
                "or patterns"
            )
        yield from _one(base_name(source), source, loose)


def _one(name: str, path: str, loose: list[tuple[str, str]]) -> Iterator[Input]:
    if PAGE_FILE.search(path):
        loose.append((name, absolute(path)))
    else:
        yield Input(name=name, path=path)


def _base(source: str, prefix: str) -> str:
    """What the lines of a list are below: the prefix, else the list's own folder."""
    folder = prefix or posixpath.dirname(source)
    return (folder if is_remote(folder) else absolute(folder)).rstrip("/")


def _joined(base: str, line: str) -> str:
    return line if is_remote(line) or line.startswith("/") else f"{base}/{line}"


def _files_below(folder: str, *, follow_links: bool = False) -> FolderFiles:
    """What is taken of a folder, here or elsewhere, and what is not."""
    if not is_remote(folder):
        below = files_below(folder, _TAKEN, follow_links=follow_links)
        for place, why in below.closed:
            raise FormatError(f"{place}: {why}")
        return below
    filesystem, inner = filesystem_of(folder)
    found: list[str] = sorted(filesystem.find(inner))
    taken = [path for path in found if _TAKEN.search(path)]
    others = Counter(
        PurePosixPath(path).suffix.lower() for path in found if not _TAKEN.search(path)
    )
    return FolderFiles(taken, 0, others)


def _pages_and_archives(
    folder: str, below: FolderFiles
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The pages and the archives below a folder: their names in it, and their paths."""
    if is_remote(folder):
        filesystem, inner = filesystem_of(folder)
        named = [
            (path.removeprefix(inner.rstrip("/") + "/"), str(filesystem.unstrip_protocol(path)))
            for path in map(str, below.files)
        ]
    else:
        inside = [Path(path).relative_to(folder).as_posix() for path in below.files]
        named = [(name, f"{absolute(folder)}/{name}") for name in inside]
    archives = [each for each in named if _ARCHIVE.search(each[0])]
    return [each for each in named if not _ARCHIVE.search(each[0])], archives


def _matching(pattern: str) -> list[str]:
    if is_remote(pattern):
        filesystem, inner = filesystem_of(pattern)
        return sorted(filesystem.unstrip_protocol(path) for path in filesystem.glob(inner))
    import glob

    return sorted(path for path in glob.glob(pattern, recursive=True) if Path(path).is_file())


def _lines(source: str) -> list[tuple[int, str]]:
    """The lines of a file with their numbers, without empty ones."""
    try:
        with InputFile(source) as file:
            data = file.read(_MOST_LIST + 1)
        data = unpack(data, _MOST_LIST + 1)
        if len(data) > _MOST_LIST:
            raise FormatError(f"{source}: has more than the limit of {_MOST_LIST:,} bytes")
        if data.count(b"\n") > _MOST_LINES:
            raise FormatError(f"{source}: has more than the limit of {_MOST_LINES:,} lines")
        text = data.decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise FormatError(f"{source}: not a list of paths: {error}") from error
    lines = enumerate((each.strip() for each in text.split("\n")), 1)
    return [(number, line) for number, line in lines if line]


def _indexed(source: str) -> Iterator[tuple[str, int]]:
    """File name and offset of each record that an index names.

    A line is a JSON object with one of the pairs of `_NAMES`, after anything (CDXJ) or nothing, or
    the eleven columns of CDX, whose last two they are.
    """
    for number, line in _lines(source):
        fields = line.split()
        if fields[0] == "CDX":
            continue
        try:
            if found := _JSON.search(line):
                value = json.loads(found[0])
                file, place = next((each for each in _NAMES if each[0] in value), _NAMES[0])
                name, offset = str(value[file]), int(value[place])
            elif len(fields) == _CDX_FIELDS:
                name, offset = fields[-1], int(fields[-2])
            else:
                raise ValueError(f"{len(fields)} columns")
            if not 0 <= offset <= _MOST_OFFSET:
                raise ValueError(f"the offset is {offset}")
        except (ValueError, KeyError, TypeError) as error:
            missing = f"there is no {error}" if isinstance(error, KeyError) else error
            raise FormatError(
                f"{source}: line {number} names no record by filename and offset: {missing}"
            ) from error
        yield name, offset


def total_bytes(source: Input) -> int:
    """What the files of an input hold; 0 where that cannot be known."""
    return sum(map(file_size, source.paths))
