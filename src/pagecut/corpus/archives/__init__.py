"""Archives: their records, one by one, and the pages in them; a broken record costs only itself."""
