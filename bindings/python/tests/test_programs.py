"""The package as a whole: its version, its types, its documentation, the examples."""

import ast
import doctest
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import kcodec
import pytest
import usage
from kcodec import _kcodec
from shared import VECTORS

ROOT = VECTORS.parent
PACKAGE = ROOT / "bindings" / "python"
EXAMPLES = ROOT / "examples" / "python"


def run(*command: object, check: bool = True) -> str:
    environment = os.environ | {"PYTHONWARNINGS": "error"}
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert not check or done.returncode == 0, done.stderr
    return done.stdout


def test_the_version_is_the_cores() -> None:
    manifest = (ROOT / "Cargo.toml").read_text()
    core = re.search(r'^version = "(.*)"', manifest, re.MULTILINE)
    assert core is not None and version("kcodec") == core[1]


def test_the_stub_names_what_is_there() -> None:
    """A type checker sees what the compiled half has, no more and no less."""
    stub = ast.parse((PACKAGE / "python/kcodec/_kcodec.pyi").read_text())
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    compiled = {name for name in vars(_kcodec) if not name.startswith("__")}
    typing_only = {"_RecordLike"}
    assert compiled == functions | set(classes) - typing_only
    for name in set(classes) - typing_only:
        members = {node.name for node in classes[name].body if isinstance(node, ast.FunctionDef)}
        ours = vars(getattr(_kcodec, name))
        has = {member for member in ours if not member.startswith("__")}
        assert has == {member for member in members if not member.startswith("__")}, name
        assert {member for member in members if member.startswith("__")} - {"__init__"} <= set(ours)


def test_everything_exported_is_there() -> None:
    assert all(hasattr(kcodec, name) for name in kcodec.__all__)


def test_documentation_runs() -> None:
    pytest.importorskip("numpy")
    assert doctest.testmod(kcodec) == (0, 3)
    readme = doctest.testfile(str(PACKAGE / "README.md"), module_relative=False)
    assert readme.failed == 0 and readme.attempted > 10


def test_typed_usage_runs() -> None:
    pytest.importorskip("numpy")
    usage.main()


@pytest.mark.parametrize("name", ["mixed_magic-0.log", "java_edges-0.log", "java_txn-0.log"])
def test_inspecting_a_segment(name: str) -> None:
    segment = VECTORS / "segments" / name
    *lines, summary = run(EXAMPLES / "inspect_segment.py", segment).splitlines()
    with kcodec.decode(segment.read_bytes(), skip_control=False) as records:
        assert len(lines) == len(records) + len(records.batches)
        assert summary.startswith(f"{len(records.batches)} batches, {len(records)} records in")
        at = [line for line in lines if line.startswith("batch at")]
        assert [int(line.split()[2][:-1]) for line in at] == [b.position for b in records.batches]


def test_inspecting_a_damaged_file() -> None:
    damaged = VECTORS / "cases" / "B019a_corrupt_middle_then_good.bin"
    assert "CRC_MISMATCH" in run(EXAMPLES / "inspect_segment.py", damaged, check=False)


def test_producing() -> None:
    assert re.match(r"1000 records in \d+ batches, ", run(EXAMPLES / "produce.py"))


def test_numpy_is_optional() -> None:
    program = """
import sys
sys.modules["numpy"] = None
import kcodec
records = kcodec.decode(kcodec.encode([(1, b"k", b"v")]))
assert records.offsets.tolist() == [0]
try:
    records.to_numpy()
except ImportError as error:
    print(error)
"""
    assert "numpy" in run("-c", program)


def test_one_library_serves_all_versions() -> None:
    library = Path(str(_kcodec.__file__))
    assert ".abi3." in library.name or sys.platform == "win32"
