"""Reports: self-contained HTML files to look at."""
