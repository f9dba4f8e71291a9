"""Results: what methods return, and the rows and files in which it is written."""
