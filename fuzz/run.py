"""Fuzz the readers of pages and files, guided by what has run: `make fuzz`.

    python fuzz/run.py CORPUS [-max_total_time=900] [-runs=1000000] [libFuzzer's other options]

Findings are written to build/fuzz as files; `python fuzz/run.py FILE` runs one again. Two ways need
no atheris: `--seeds` runs the corpus alone, which the tests do, too, and `--random COUNT` so many
changes of it, unguided, which is faster and finds less.
"""

from __future__ import annotations

import ctypes
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))


def count_compiled(core: str) -> None:
    """Give libFuzzer the counters of the compiled code, where that was built to have some."""
    try:
        count = ctypes.CDLL(None).pagecut_count
    except AttributeError:
        return
    fuzzer = ctypes.CDLL(core)
    count.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    count(
        ctypes.cast(fuzzer.__sanitizer_cov_8bit_counters_init, ctypes.c_void_p),
        ctypes.cast(fuzzer.__sanitizer_cov_pcs_init, ctypes.c_void_p),
    )


def seeds() -> list[bytes]:
    return [path.read_bytes() for path in sorted((HERE / "corpus").iterdir())]


def changed(given: list[bytes], count: int) -> Iterator[bytes]:
    """So many inputs, the same each time: seeds changed, cut, doubled or joined."""
    draw = random.Random(1)
    pieces = (b"<", b">", b"</", b"\0", b"\xff" * 4, b"\x7f\xff\xff\xff", b"&#", b"\r\n", b"<svg>")
    for _ in range(count):
        data = bytearray(draw.choice(given))
        for _ in range(draw.choice((1, 1, 2, 4, 16))):
            at, to = sorted(draw.randrange(len(data) + 1) for _ in range(2))
            match draw.randrange(6):
                case 0:
                    data[at : at + 1] = bytes([draw.randrange(256)])
                case 1:
                    data[at:at] = draw.choice(pieces)
                case 2:
                    del data[at : min(to, at + 30)]
                case 3:
                    data[at:at] = data[at:to][:300]
                case 4:
                    other = draw.choice(given)
                    data[at:to] = other[len(other) // 2 :][:300]
                case _:
                    data[at : at + 1] = (
                        bytes([data[at] ^ 1 << draw.randrange(8)]) if data[at:] else b""
                    )
        yield bytes(data[:4096])


def run_random(count: int) -> None:
    """Run changed seeds; a finding is written to the working folder, and ends it."""
    from targets import run

    began = time.monotonic()
    for number, data in enumerate(changed(seeds(), count), 1):
        try:
            run(data)
        except Exception:
            Path(f"finding-{number}").write_bytes(data)
            print(f"finding in input {number:,}: finding-{number}", flush=True)
            raise
        if not number % 10_000 or number == count:
            print(f"{number:,} inputs in {time.monotonic() - began:,.0f} s", flush=True)


def main() -> None:
    if "--seeds" in sys.argv:
        from targets import run

        for data in seeds():
            run(data)
        return
    if "--random" in sys.argv:
        run_random(int(sys.argv[sys.argv.index("--random") + 1]))
        return
    import atheris

    with atheris.instrument_imports(include=["pagecut", "targets"]):
        import targets
    core = next(
        name for name in map(str, Path(atheris.__file__).parent.glob("core_with_libfuzzer*.so"))
    )
    count_compiled(core)
    atheris.Setup(sys.argv, targets.run, enable_python_coverage=True)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
