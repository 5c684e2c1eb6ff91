"""Python source and argument types to IR: `signature.describe` and `build`."""
