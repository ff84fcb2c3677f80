"""The workflows of continuous integration and of releases, whose steps are scripts that run on any machine."""

import hashlib
import json
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from installed import environment, run

from posenc_core import __version__

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SCRIPT = re.compile(r"(?:python3? |bash )(?P<path>(?:tools|\.ci)/[\w./-]+)(?P<words>(?: [\w./-]+)*)")
INSTALL = re.compile(r'python -m pip install( (\.|\./tools/posenc-core|"\.\[\w+\]"|cyclonedx-bom))+')


def steps(path: Path) -> list[dict[str, Any]]:
    workflow = yaml.safe_load(path.read_text("utf-8"))
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_step_runs_a_script_that_exists_or_installs_the_program(path: Path) -> None:
    for step in steps(path):
        assert ("run" in step) != ("uses" in step)
        if "run" in step and not INSTALL.fullmatch(step["run"]):
            found = SCRIPT.fullmatch(step["run"])
            assert found is not None, step["run"]
            assert (ROOT / found["path"]).is_file(), step["run"]


def test_extras_that_are_installed_by_workflows_exist() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    runs = " ".join(step.get("run", "") for path in WORKFLOWS for step in steps(path))
    named = re.findall(r"\.\[(\w+)\]", runs)
    assert "freeze" in named
    assert set(named) <= set(extras)


def test_the_tests_run_on_three_systems_with_every_python_that_is_supported() -> None:
    matrix = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))["jobs"]["test"]["strategy"][
        "matrix"
    ]
    assert [name.partition("-")[0] for name in matrix["system"]] == ["ubuntu", "macos", "windows"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]


def test_only_the_last_job_may_write_and_no_secret_is_named() -> None:
    for path in WORKFLOWS:
        text = path.read_text("utf-8")
        workflow = yaml.safe_load(text)
        assert workflow["permissions"] == {"contents": "read"}
        assert "secrets." not in text
        writing = [name for name, job in workflow["jobs"].items() if "write" in job.get("permissions", {}).values()]
        assert writing == (["publish"] if path.stem == "release" else [])


@pytest.mark.parametrize(("language", "folder"), [("sh", "bin/"), ("powershell", "Scripts")])
def test_the_test_command_is_the_readmes(language: str, folder: str) -> None:
    command = runpy.run_path(str(ROOT / "tools" / "test_command.py"))["command"]
    line = command((ROOT / "README.md").read_text("utf-8"), language)
    assert line.endswith("-m pytest")
    assert folder in line


def test_the_sums_of_a_release_are_those_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "one.whl").write_bytes(b"one")
    (tmp_path / "two.tar.xz").write_bytes(b"two")
    for _ in range(2):  # the sums leave themselves out
        subprocess.run([sys.executable, ROOT / "tools" / "release.py", "sums", "--out", tmp_path], check=True)
    lines = (tmp_path / "SHA256SUMS").read_text("utf-8").splitlines()
    assert lines == [
        f"{hashlib.sha256(b'one').hexdigest()}  one.whl",
        f"{hashlib.sha256(b'two').hexdigest()}  two.tar.xz",
    ]


RELEASE = {"GITHUB_SERVER_URL": "https://host", "GITHUB_REPOSITORY": "owner/name", "GITHUB_REF_NAME": "v1.2.3"}


def metainfo(out: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "tools" / "release.py", "metainfo", "--out", out]
    return subprocess.run(
        command, env={"PATH": "/usr/bin:/bin", **variables}, capture_output=True, text=True, check=False
    )


def test_the_description_of_a_release_has_its_version_and_two_pictures_of_its_tag(tmp_path: Path) -> None:
    assert metainfo(tmp_path, **RELEASE).returncode == 0
    root = ElementTree.parse(tmp_path / "io.github.posenc.PosEnc.metainfo.xml").getroot()
    assert root.find("releases/release").get("version") == __version__
    shots = root.findall("screenshots/screenshot")
    assert [each.get("type") for each in shots] == ["default", None]
    for each in shots:
        assert 10 < len(each.findtext("caption")) < 100
        address, _, name = each.findtext("image").rpartition("/")
        assert address == "https://host/owner/name/raw/v1.2.3/docs/pictures"
        assert (ROOT / "docs" / "pictures" / name).is_file()
    assert root.findtext("id") == "io.github.posenc.PosEnc"


def test_without_an_address_no_description_is_written_and_a_sentence_says_so(tmp_path: Path) -> None:
    told = metainfo(tmp_path)
    assert told.returncode == 1
    assert told.stderr == "GITHUB_SERVER_URL is not set: the release workflow names the address of the pictures\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.thorough
def test_every_step_of_a_release_runs_on_this_machine_and_the_bill_lists_what_the_wheels_install(
    tmp_path: Path,
) -> None:
    out = tmp_path / "dist"
    python = environment(tmp_path / "tools", tmp_path, "cyclonedx-bom") / "python"
    for step in ("wheels", "sbom", "metainfo", "sums"):
        run(python, ROOT / "tools" / "release.py", step, "--out", out, **RELEASE)
    listed = {each["name"]: each["version"] for each in json.loads((out / "sbom.cdx.json").read_text())["components"]}
    assert {"posenc-core", "numpy", "PySide6_Essentials", "shiboken6", "pyqtgraph", "ziamath"} <= listed.keys()
    assert not {"cyclonedx-bom", "cyclonedx-python-lib", "lxml", "pip", "setuptools", "pytest"} & listed.keys()
    asked = subprocess.run(
        ["bash", ROOT / "tools" / "publish_release"], cwd=tmp_path,
        env={"DRY_RUN": "1", "GITHUB_REF_NAME": "v1.2.3", "PATH": "/usr/bin:/bin"},
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    wheels = sorted(path.name for path in out.glob("*.whl"))
    made = ["SHA256SUMS", "io.github.posenc.PosEnc.metainfo.xml", *wheels, "sbom.cdx.json"]
    assert asked.stdout.split()[-5:] == [f"dist/{name}" for name in made]
    assert sorted(path.name for path in (tmp_path / "wheels").iterdir()) == wheels
