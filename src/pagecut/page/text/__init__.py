"""A page's text: its words and lines, ranges of it, and how it reads as prose."""
