"""Corpus runs: archives in, tables out, nothing lost."""

from pagecut.corpus.settings import RunSettings
from pagecut.corpus.supervisor import Counts, segment_warc

__all__ = ["Counts", "RunSettings", "segment_warc"]
