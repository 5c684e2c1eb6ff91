"""What Weft raises by mistake while it compiles is an InternalError with the line, or Python runs the call."""

import warnings

import numpy as np
import pytest

import weft
from weft.analysis.dependence import verdicts
from weft.backends.c import program, toolchain
from weft.backends.text.printer import Printer
from weft.frontend.control import loops
from weft.runtime.dispatch import callee, specialisation
from weft.transform import pipeline

OPENCL = pytest.param("opencl", marks=pytest.mark.opencl)


class MistakeError(Exception):
    """No exception that anything catches by its name."""


def doubled(a, n):
    for i in range(n):
        a[i] = 2.0 * a[i]
    return n


def fails(*arguments, **named):
    raise MistakeError("planted\nwith a second line")


def refuses(*arguments, **named):
    raise weft.CompilerError("gcc refused the code that was generated for line 30")


STAGES = {
    "reading a loop": (loops, "translate_for", fails),
    "a pass": (pipeline, "ORDER", (fails,)),
    "a pass for the processor": (pipeline, "for_cpu", fails),
    "the printer": (Printer, "print_Store", fails),
    "the entry": (program, "_entry", fails),
    "the compiler": (toolchain, "compile_source", fails),
    "the compiler refuses": (toolchain, "compile_source", refuses),
    "the dependences": (verdicts, "updates", fails),
    "what is stored": (specialisation, "describe_compiled", fails),
    "the fingerprint": (callee, "_fingerprint", fails),
}


@pytest.fixture(autouse=True)
def _compiled_anew(own_store, monkeypatch):
    """Nothing that was compiled before counts, on disk or in memory."""
    monkeypatch.setattr(callee, "_specialisations", {})


@pytest.fixture(params=STAGES)
def planted(request, monkeypatch):
    """A mistake in a stage of the compiler."""
    place, name, mistake = STAGES[request.param]
    if not hasattr(place, name):
        pytest.fail(f"there is no {name} any more")
    monkeypatch.setattr(place, name, mistake)
    return request.param


def test_a_mistake_is_an_internal_error_with_the_line(planted):
    a = np.ones(5)
    with pytest.raises(weft.InternalError) as caught:
        weft.jit(doubled, device="cpu")(a, 5)
    text = str(caught.value)
    assert __file__ in text and "doubled" in text
    assert "^" in text or planted == "the compiler refuses"
    assert "report" in text and 'on_error="python"' in text
    np.testing.assert_array_equal(a, np.ones(5))


def test_python_runs_the_call_where_that_is_asked_for(planted):
    compiled = weft.jit(doubled, device="cpu", on_error="python")
    with pytest.warns(weft.WeftWarning, match="W005.*doubled") as said:
        for repeat in range(3):
            a = np.arange(5.0) + repeat
            assert compiled(a, n=5) == 5
            np.testing.assert_array_equal(a, 2 * (np.arange(5.0) + repeat))
    assert len(said) == 1
    assert said[0].filename == __file__


def test_the_exception_is_told_and_kept(monkeypatch):
    monkeypatch.setattr(Printer, "print_Store", fails)
    with pytest.raises(weft.InternalError, match="while writing code: MistakeError: planted") as caught:
        weft.jit(doubled, device="cpu")(np.ones(5), 5)
    assert isinstance(caught.value.__cause__, MistakeError)
    assert caught.value.location.line == doubled.__code__.co_firstlineno + 2


def test_a_pass_that_fails_can_be_left_out(monkeypatch):
    def licm(program):
        raise KeyError("w")

    licm.__module__ = "weft.transform.simplify.licm"
    monkeypatch.setitem(licm.__globals__, "__name__", "weft.transform.simplify.licm")
    order = tuple(licm if run.__name__ == "licm" else run for run in pipeline.ORDER)
    monkeypatch.setattr(pipeline, "ORDER", order)
    with pytest.raises(weft.InternalError, match="running the pass licm: KeyError: 'w'") as caught:
        weft.jit(doubled, device="cpu")(np.ones(5), 5)
    assert 'disable=("licm",)' in str(caught.value)
    a = np.ones(5)
    weft.jit(doubled, device="cpu", disable=("licm",))(a, 5)
    np.testing.assert_array_equal(a, np.full(5, 2.0))


def shifted(a, b):
    for i in range(a.shape[0]):
        a[i] = b[i] + 1.0


@pytest.mark.parametrize("device", ["cpu", OPENCL])
def test_a_variant_that_a_later_call_needs_fails_as_early(device, monkeypatch):
    compiled = weft.jit(shifted, device=device, on_error="python")
    compiled(np.ones(4), np.ones(4))
    monkeypatch.setattr(specialisation.Specialisation, "_compile", fails)
    x = np.zeros(5)
    with pytest.warns(weft.WeftWarning, match="W005"):
        compiled(x[1:], x[:-1])
    np.testing.assert_array_equal(x, np.arange(5.0))
    with pytest.raises(weft.InternalError):
        weft.jit(shifted, device=device)(x[::-1], x)
    np.testing.assert_array_equal(x, np.arange(5.0))


@pytest.mark.parametrize("mistake", [KeyboardInterrupt, MemoryError, OSError, UserWarning])
def test_what_is_no_mistake_stays_what_it_is(mistake, monkeypatch):
    def stops(*arguments, **named):
        raise mistake("planted")

    monkeypatch.setattr(Printer, "print_Store", stops)
    with pytest.raises(mistake, match="planted"):
        weft.jit(doubled, device="cpu", on_error="python")(np.ones(5), 5)


def raising(a, n):
    total = 0
    for i in range(n):
        a[i] = 1.0
        if a[i] > 2.0:
            raise ValueError("large")
        total += 10 // (n - 3)
    return total


@pytest.mark.parametrize("device", ["cpu", "interpreter"])
@pytest.mark.parametrize(("n", "error"), [(3, ZeroDivisionError), (7, IndexError)])
def test_exceptions_of_the_program_are_none(device, n, error):
    with warnings.catch_warnings():
        warnings.simplefilter("error", weft.WeftWarning)
        with pytest.raises(error):
            weft.jit(raising, device=device, on_error="python")(np.ones(5), n)


def test_refusals_are_raised_in_any_case():
    def refused(a):
        import json

        return json.dumps(a[0])

    with pytest.raises(weft.UnsupportedError):
        weft.jit(refused, device="cpu", on_error="python")(np.ones(3))


def test_a_failure_of_a_call_that_has_begun_is_not_hidden(monkeypatch):
    compiled = weft.jit(doubled, device="cpu", on_error="python")
    compiled(np.ones(5), 5)
    monkeypatch.setattr(callee.Callee, "_run", lambda *arguments: fails_late())
    with pytest.raises(weft.InternalError, match="late"):
        compiled(np.ones(5), 5)


def fails_late():
    raise weft.InternalError("late")


def test_other_answers_are_refused():
    with pytest.raises(weft.ArgumentError, match="'ignore' says nothing about errors"):
        weft.jit(doubled, on_error="ignore")


def test_compilers_that_refuse_are_internal_errors():
    assert issubclass(weft.CompilerError, weft.InternalError)
