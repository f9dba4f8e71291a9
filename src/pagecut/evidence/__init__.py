"""Evidence: what is known of each node of a page, computed once and read by all learnt methods."""
