"""Parsing: the bytes of a page, or of any other source, to a Page."""
