"""Text: its words, wrapped lines and their density."""
