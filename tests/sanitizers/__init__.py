"""Programs run under the sanitizers of the C compiler: generated code, the entry stub, the threads and the mirror."""
