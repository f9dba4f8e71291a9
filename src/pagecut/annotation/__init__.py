"""Annotation: what people mark on a page, and its transfer to pages of the same template."""
