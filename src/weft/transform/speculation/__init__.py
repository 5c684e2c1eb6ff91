"""Speculation: lanes that note what would raise, and go back to the exact code only then."""
