"""The benchmark programs, one module for each family."""

from __future__ import annotations

from benchmarks.program import Program
from benchmarks.programs import elementwise, linear, pictures, scans, simulation, sorting, transform

PROGRAMS: dict[str, Program] = {
    program.name: program
    for program in (
        elementwise.EMPTY,
        elementwise.VECTOR_ADD,
        elementwise.SAXPY,
        elementwise.BLACK_SCHOLES,
        linear.MATMUL,
        linear.MATMUL_DOUBLE,
        simulation.NBODY,
        pictures.MANDELBROT,
        pictures.EMBOSS,
        simulation.STENCIL,
        simulation.LORENZ,
        pictures.RAYTRACER,
        transform.FFT,
        sorting.ODD_EVEN_SORT,
        linear.ROW_SUMS,
        linear.COLUMN_SUMS,
        scans.PREFIX_SUM,
        scans.HISTOGRAM,
        linear.SPARSE_PRODUCT,
        linear.TRIANGULAR,
        elementwise.GATHER,
    )
}
