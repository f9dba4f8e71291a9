"""Rendering: a page as people see it, from a real browser, as columns of the same Page."""
