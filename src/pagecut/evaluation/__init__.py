"""Evaluation: human truth, measures of agreement with it, and the statistics over many pages."""
