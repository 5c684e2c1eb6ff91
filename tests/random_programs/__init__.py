"""Random loop programs as Python source, with CPython as the oracle for every later stage of the compiler."""
