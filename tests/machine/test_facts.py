"""Facts of devices go to a file and come back, and are refused where they are of another kind."""

import pytest

from weft.errors import DeviceError
from weft.machine.facts import Facts, Machine, from_json, load, save, to_json

GPU = Facts("cuda", "A GPU", "CUDA 13000", 132, 2**37, "sm_90", 1024, 32, 2**17, 4096, 10**9)
OTHER = Facts("opencl", "A processor", "a driver", 2, 2**32, "OpenCL C 1.2", 4096, 1, 2**16, 1024, has_float64=False)
MACHINE = Machine("somewhere", (GPU, OTHER))


def test_facts_come_back_equal():
    assert from_json(to_json(MACHINE)) == MACHINE


def test_facts_go_through_a_file(tmp_path):
    save(MACHINE, tmp_path / "machine.json")
    assert load(tmp_path / "machine.json") == MACHINE


def test_devices_are_found_by_name():
    assert MACHINE.device("cuda") == MACHINE.device("cuda:0") == GPU
    assert MACHINE.device("opencl") == OTHER
    with pytest.raises(DeviceError, match="has no device 'cuda:1'"):
        MACHINE.device("cuda:1")


def test_facts_of_another_version_are_refused():
    with pytest.raises(DeviceError, match="the version 7"):
        from_json(to_json(Machine("somewhere", (), 7)))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 1, "name": "x", "devices": [{"kind": "cuda"}]}'])
def test_other_texts_are_refused(text):
    with pytest.raises(DeviceError, match="no facts of devices"):
        from_json(text)
