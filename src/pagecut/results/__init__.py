"""Results: what methods return, and the forms in which it is written."""
