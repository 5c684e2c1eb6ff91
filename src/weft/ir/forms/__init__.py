"""Programs as text and JSON, and the builder."""
