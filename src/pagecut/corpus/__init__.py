"""Corpus runs: archives in, tables out, nothing lost."""

from pagecut.corpus.supervision import Counts, segment_warc

__all__ = ["Counts", "segment_warc"]
