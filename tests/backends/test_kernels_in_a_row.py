"""Kernels that follow one another: they start early, and are queued before the host waits for one that may fail."""

from tests.backends.test_device_arrays import OnDevice
from tests.plan.test_uneven import product
from weft.backends.cuda.dialect import generate_kernels
from weft.backends.gpu.repeats import early_kernels
from weft.backends.host import driver
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.plan.place import place
from weft.transform.pipeline import optimise


def gathered(c, x, y):
    for i in range(len(y)):
        y[i] = x[c[i]]


def placed(function, *types):
    arrays = tuple(describe(OnDevice((9,), typestr)) for typestr in types)
    return place(optimise(build(function, arrays)), "cuda").program


def test_kernels_of_a_block_that_launches_several_start_early():
    made = placed(product, "<i4", "<i4", "<f4", "<f4", "<f4")
    endings = ("_clears", "_notes", "_2", "_ends")
    assert len(early_kernels(made)) == 4 and all(any(k.endswith(e) for k in early_kernels(made)) for e in endings)
    assert "begin_kernel(" in generate_kernels(made)
    assert not early_kernels(placed(gathered, "<i4", "<f4", "<f4"))


def test_what_finishes_rows_is_queued_before_the_host_waits():
    host = driver.generate(placed(product, "<i4", "<i4", "<f4", "<f4", "<f4")).source
    body = host[host.index("product_body(") :]
    flagged, told = body.index("launch_flagged("), body.index("mirrors->tell(")
    assert flagged < body.index("mirrors->launch(", flagged) < told < body.index("weft_raise", told)


def test_a_kernel_that_may_fail_and_is_the_last_one_is_waited_for_at_once():
    host = driver.generate(placed(gathered, "<i4", "<f4", "<f4")).source
    assert "mirrors->launch_flagged(" not in host[host.index("gathered_body(") :]
