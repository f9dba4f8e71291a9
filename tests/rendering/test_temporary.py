"""What a killed process leaves in the place for temporary files, the next one removes."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from waiting import wait_for

from pagecut.rendering.renderer import Renderer
from pagecut.temporary import (
    LockedFolder,
    remove_leftovers,
    remove_old_parts,
    written_whole,
)

HOLDER = """
import sys, time
from pagecut.temporary import LockedFolder
print(LockedFolder("browser").path, flush=True)
time.sleep(600)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def test_only_what_nobody_holds_is_removed(place: Path) -> None:
    mine = LockedFolder("worker")
    with subprocess.Popen([sys.executable, "-c", HOLDER], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        held = Path(other.stdout.readline().decode().strip())
        assert held.parent == place
        remove_leftovers()
        assert held.exists()
        other.kill()
    remove_leftovers()
    assert list(place.iterdir()) == [mine.path]
    mine.close()
    assert list(place.iterdir()) == []


def test_what_is_no_folder_of_ours_stays(place: Path) -> None:
    (place / "pagecut-notes").mkdir()
    (place / "pagecut-x").symlink_to(place / "pagecut-notes")
    (place / "pagecut-y").write_text("")
    new = place / ".pagecut-new-x"
    new.mkdir()
    LockedFolder("browser").close()
    assert len(list(place.iterdir())) == 4
    os.utime(new, (0, 0))
    LockedFolder("browser").close()
    assert not new.exists()
    assert len(list(place.iterdir())) == 3


def test_old_parts_are_removed(tmp_path: Path) -> None:
    for name, age in ("old.part", 10_000), ("new.part", 0), ("old.snap", 10_000):
        (tmp_path / name).write_text("")
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    remove_old_parts(tmp_path, "*.part")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.part", "old.snap"]


def test_a_part_that_is_being_written_is_not_removed(tmp_path: Path) -> None:
    with written_whole(tmp_path / "slow.txt") as part:
        os.utime(part, (0, 0))
        remove_old_parts(tmp_path, ".*.part")
        part.write_text("all")
    assert [path.name for path in tmp_path.iterdir()] == ["slow.txt"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, OSError])
@pytest.mark.parametrize("old", ["old", None])
def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, error: type[BaseException], old: str | None
) -> None:
    path = tmp_path / "file.txt"
    if old is not None:
        path.write_text(old)

    def fail() -> None:
        with written_whole(path) as part:
            part.write_text("half")
            raise error

    with pytest.raises(error):
        fail()
    assert [each.read_text() for each in tmp_path.iterdir()] == ([old] if old else [])


def test_a_new_file_has_the_mode_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("old")
    path.chmod(0o640)
    with written_whole(path) as part:
        part.write_text("new")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", 0o640)


def test_what_a_link_leads_to_is_written(tmp_path: Path) -> None:
    link, target = tmp_path / "link", tmp_path / "folder" / "file"
    target.parent.mkdir()
    link.symlink_to(target)
    for text in "first", "second":
        with written_whole(link) as part:
            assert part.parent == target.parent
            part.write_text(text)
        assert link.is_symlink()
        assert target.read_text() == text


def test_a_file_with_another_name_or_that_cannot_be_replaced_gets_the_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = tmp_path / "one.txt", tmp_path / "two.txt"
    path.write_text("old")
    os.link(path, other)
    with written_whole(path) as part:
        part.write_text("new")
    assert other.read_text() == "new"

    def busy(*_: object) -> None:
        raise OSError(errno.EBUSY, "busy")

    single = tmp_path / "single.txt"
    single.write_text("old")
    monkeypatch.setattr(os, "replace", busy)
    with written_whole(single) as part:
        part.write_text("new")
    assert single.read_text() == "new"
    assert {each.name for each in tmp_path.iterdir()} == {"one.txt", "two.txt", "single.txt"}


def test_a_file_system_without_locks_is_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOSYS, "no locks")

    monkeypatch.setattr("fcntl.flock", no_locks)
    with written_whole(tmp_path / "a.txt") as part:
        part.write_text("new")
    assert (tmp_path / "a.txt").read_text() == "new"


WITHOUT_LOCKS = """
import os, sys
from pathlib import Path
sys.modules["fcntl"] = None  # as on Windows
import pagecut
from pagecut.temporary import LockedFolder, written_whole
from pagecut.corpus.output.folder import OutputFolder
pagecut.render
pagecut.segment("<p>Some text").write("rows.jsonl")
with written_whole(Path("file.txt")) as part:
    part.write_text("new")
    opened = [os.path.realpath(f"/proc/self/fd/{each}") for each in os.listdir("/proc/self/fd")]
    assert os.path.realpath(part) not in opened  # Windows gives no open file another name
for fail in (lambda: LockedFolder("browser"), lambda: OutputFolder("out").locked(0, 1).__enter__()):
    try:
        fail()
    except pagecut.PagecutError as error:
        print(error)
"""


def test_without_locks_files_are_written_and_what_needs_them_says_so(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_LOCKS], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "a browser needs Linux or macOS; on Windows, run it under WSL",
        "a run that writes to a local folder needs Linux or macOS; on Windows, run it under WSL",
    ]
    assert {each.name for each in tmp_path.iterdir()} == {"rows.jsonl", "file.txt"}


def test_an_open_file_is_written_to_by_its_number(tmp_path: Path) -> None:
    with (tmp_path / "a.txt").open("w+") as file:
        with written_whole(Path(f"/dev/fd/{file.fileno()}")) as part:
            part.write_text("new")
        file.seek(0)
        assert file.read() == "new"


def test_pipes_and_standard_streams_are_written_in_place(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with written_whole(pipe) as part:
        assert part == pipe
    code = """
from pathlib import Path
from pagecut.temporary import written_whole
with written_whole(Path("/dev/stdout")) as part:
    part.write_text("all")
"""
    path = tmp_path / "out.txt"
    with path.open("w") as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, check=True)
        assert os.path.samestat(os.fstat(file.fileno()), path.stat())
    assert path.read_text() == "all"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_file_that_must_not_be_written_stays(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("old")
    path.chmod(0o400)
    with pytest.raises(PermissionError), written_whole(path):
        pass
    assert [each.read_text() for each in tmp_path.iterdir()] == ["old"]


ENDS = {
    "sigterm": [signal.SIGTERM],
    "sigint-twice": [signal.SIGINT, signal.SIGINT],
    "sigkill": [signal.SIGKILL],
}


@pytest.mark.parametrize("name", ENDS)
def test_a_command_that_is_ended_leaves_nothing(browser: Path, place: Path, name: str) -> None:
    endless = place / "endless.html"
    endless.write_text("<p>x<script>for(;;);</script>")
    output = place / "out"
    with subprocess.Popen(
        [sys.executable, "-m", "pagecut", "render", str(endless), "--scripts", "--no-cache",
         "-o", str(output)],
        stderr=subprocess.DEVNULL,
        # In the background of a shell it would be ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as started:  # fmt: skip
        wait_for(lambda: list(place.glob("pagecut-browser-*/profile/*")) != [])
        for number in ENDS[name]:
            started.send_signal(number)
            time.sleep(0.2)
        assert started.wait(15) != 0  # a page may take 30 s
    wait_for(lambda: not _with_place_in_command(place), 30)
    with Renderer(program=browser) as renderer:  # the next one
        renderer.render("<p>x")
    assert list(place.iterdir()) == [endless]


def test_a_group_that_is_killed_with_its_shell_is_cleaned_by_the_next(
    browser: Path, place: Path
) -> None:
    code = "import os, signal; from pagecut import Renderer; r = Renderer(); r.render('<p>x'); " + (
        "os.killpg(r._browsers._all[0].browser.pid, 9); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    assert len(list(place.glob("pagecut-browser-*"))) == 1
    with Renderer(program=browser) as renderer:
        renderer.render("<p>x")
    assert list(place.iterdir()) == []


def _with_place_in_command(place: Path) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if f"={place}/".encode() in words:
            found.append(int(entry.name))
    return found


def test_an_interrupt_while_a_part_is_opened_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened_and_interrupted(path: Path, *_: object) -> None:
        path.touch()
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "open", opened_and_interrupted)
    with pytest.raises(KeyboardInterrupt), written_whole(tmp_path / "a.txt"):
        pass
    assert list(tmp_path.iterdir()) == []
