"""The folder that a run writes: tables in shards, whether they are whole, and what it sums up."""
