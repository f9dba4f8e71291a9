"""Studies: the papers' side experiments, near duplicates and the laws of text blocks."""
