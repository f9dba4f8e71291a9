"""Workers: processes that may be killed at any time, and who replaces them."""
