"""Where arrays are current, and the copies that this takes."""
