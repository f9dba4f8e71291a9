"""Content: the main text of a page, in chunks and as Markdown; its metadata."""
