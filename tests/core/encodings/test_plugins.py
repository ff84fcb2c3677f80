"""Encodings in files and packages of other people: registered like any other, and refused in a sentence if broken."""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from made_families import ContentBias, DotOfPlaces, FadingBias, LogBias
from plugin_files import BROKEN, EXAMPLE, MINIMAL, SLOW, changed, installed

from posenc_core import ENCODINGS, Document, Encoding, encoding, explain, table
from posenc_core.encodings.plugins import add_installed, open_plugin, write_example
from posenc_core.encodings.plugins.trial import check_family
from posenc_core.fields import Registry
from posenc_core.tables import Cancelled

PATIENT = 600.0
"""Seconds, more than any machine needs."""


@pytest.fixture
def registry() -> Registry[Encoding]:
    """A registry of its own, with the built-in families."""
    return Registry(lambda kind: kind.family, tuple(ENCODINGS.values()))


@pytest.fixture(autouse=True)
def modules() -> Iterator[None]:
    """Removes what was imported by a test, whose packages are not for the program's own registry either."""
    ENCODINGS.complete()  # it looks for packages once, at the first unknown name
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith(("posenc_plugin_", "encodings_of_")):
            del sys.modules[name]


def written(folder: Path, text: str, name: str = "mine.py") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", [*ENCODINGS.values(), FadingBias, ContentBias, LogBias, DotOfPlaces])
def test_every_family_passes_the_trial(kind: type[Encoding]) -> None:
    check_family(kind)


def test_a_file_with_no_more_than_values_is_an_encoding(registry: Registry[Encoding], tmp_path: Path) -> None:
    (kind,) = open_plugin(registry, written(tmp_path, MINIMAL), PATIENT)
    assert registry["ramp_of_mine"] is kind
    assert list(registry)[-1] == "ramp_of_mine"
    made = kind.from_parameters({"d_model": 3})
    assert table(made, [2, 7]).tolist() == [[0.02, 0.04, 0.06], [0.07, 0.14, 0.21]]
    assert explain(made, 7, 2).value == 0.21
    assert made.range_over(0, 11) == pytest.approx((0.0, 0.30))
    assert made.column_info(1).part == "entry"
    assert not (tmp_path / "__pycache__").exists(), "nothing is left beside the file"


def test_the_example_has_30_lines_and_runs_as_it_is(registry: Registry[Encoding], tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    write_example(path)
    assert path.read_text(encoding="utf-8") == EXAMPLE
    assert len(EXAMPLE.splitlines()) == 30
    (kind,) = open_plugin(registry, path, PATIENT)
    made = kind.from_parameters({"rate": 0.1})
    assert [field.name for field in made.fields] == ["d_model", "rate"]
    assert table(made, [4], [0, 1])[0] == pytest.approx(np.exp(-0.4) * np.array([1.0, -1.0]))
    with pytest.raises(FileExistsError):
        write_example(path)


def test_a_session_holds_the_name_and_the_parameters_alone(tmp_path: Path) -> None:
    (kind,) = open_plugin(ENCODINGS, written(tmp_path, EXAMPLE), PATIENT)
    try:
        document = Document("a b c").edited("family", kind.family).edited("rate", 0.2)
        session = document.to_json()
        assert Document.from_json(session) == document
        assert encoding("fading_waves", rate=0.2) == document.encoding
        assert "mine" not in session
    finally:
        ENCODINGS.unregister(kind.family)
    with pytest.raises(ValueError, match=r"^this session shows the encoding 'fading_waves', which is not installed"):
        Document.from_json(session)


@pytest.mark.parametrize("way", BROKEN)
def test_a_broken_file_is_named_in_a_sentence_and_changes_nothing(
    registry: Registry[Encoding], tmp_path: Path, way: str
) -> None:
    text, sentence = BROKEN[way]
    with pytest.raises(ValueError, match=r"^cannot use mine\.py: ") as refused:
        open_plugin(registry, written(tmp_path, text), PATIENT)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
    assert list(registry) == list(ENCODINGS)


def test_a_file_that_never_ends_is_left_to_itself(registry: Registry[Encoding], tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match=r"^cannot use mine\.py: it takes more than 0\.05 s to run and to compute 8 rows$"
    ):
        open_plugin(registry, written(tmp_path, SLOW), 0.05)
    assert list(registry) == list(ENCODINGS)


def test_a_file_that_takes_long_reports_its_progress_and_can_be_cancelled(
    registry: Registry[Encoding], tmp_path: Path
) -> None:
    (first,) = open_plugin(registry, written(tmp_path, MINIMAL), PATIENT)
    shares: list[float] = []

    def cancelled_at_the_third(share: float) -> bool:
        shares.append(share)
        return len(shares) < 3

    with pytest.raises(Cancelled):
        open_plugin(registry, written(tmp_path, SLOW), PATIENT, cancelled_at_the_third)
    assert 0 < shares[0] < shares[1] < shares[2] < 1
    assert registry["ramp_of_mine"] is first


def test_a_missing_file_is_refused(registry: Registry[Encoding], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^cannot use mine\.py: it is not a file$"):
        open_plugin(registry, tmp_path / "mine.py", PATIENT)


def test_a_file_of_a_deleted_current_folder_is_refused(
    registry: Registry[Encoding], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(ValueError, match=r"^cannot use mine\.py: it is not a file$"):
        open_plugin(registry, Path("mine.py"), PATIENT)


def test_a_file_that_was_edited_replaces_its_families_and_a_broken_one_leaves_them(
    registry: Registry[Encoding], tmp_path: Path
) -> None:
    path = written(tmp_path, MINIMAL)
    (first,) = open_plugin(registry, path, PATIENT)
    written(tmp_path, changed("/ 100", "/ 200"))
    (second,) = open_plugin(registry, path, PATIENT)
    assert registry["ramp_of_mine"] is second is not first
    assert table(second.from_parameters({}), [100])[0, 0] == 0.5
    written(tmp_path, BROKEN["nan"][0])
    with pytest.raises(ValueError, match="returns nan"):
        open_plugin(registry, path, PATIENT)
    assert registry["ramp_of_mine"] is second
    written(tmp_path, BROKEN["two of a name"][0])
    with pytest.raises(ValueError, match="same family"):
        open_plugin(registry, path, PATIENT)
    assert registry["ramp_of_mine"] is second
    written(tmp_path, changed("ramp_of_mine", "another") + "\n\nAgain = Ramp\n")
    open_plugin(registry, path, PATIENT)
    assert [name for name in registry if name not in ENCODINGS] == ["another"]


def test_two_files_cannot_have_the_same_name(registry: Registry[Encoding], tmp_path: Path) -> None:
    open_plugin(registry, written(tmp_path, MINIMAL), PATIENT)
    with pytest.raises(
        ValueError, match=r"^cannot use yours\.py: ramp_of_mine is the name of another kind, Ramp of mine$"
    ):
        open_plugin(registry, written(tmp_path, MINIMAL, "yours.py"), PATIENT)


def test_installed_packages_are_found_once_and_a_broken_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path, "good", MINIMAL)
    installed(tmp_path, "bad", BROKEN["wrong shape"][0].replace("ramp_of_mine", "bad"))
    installed(tmp_path, "taken", changed("ramp_of_mine", "rotary"))
    installed(tmp_path, "absent", "import no_such_library\n")
    installed(tmp_path, "odd", MINIMAL, "np")
    monkeypatch.syspath_prepend(tmp_path)
    registry = Registry[Encoding](
        lambda kind: kind.family, tuple(ENCODINGS.values()), lambda asked: add_installed(asked, PATIENT)
    )
    assert list(registry) == list(ENCODINGS), "a list of kinds imports nothing"
    assert "encodings_of_good" not in sys.modules
    assert registry["ramp_of_mine"].title == "Ramp of mine"
    assert [name for name in registry if name not in ENCODINGS] == ["ramp_of_mine"]
    wanted = {
        "bad": "Ramp.values returns an array of shape (8,) instead of real numbers of shape (8, 8), positions by "
        "columns",
        "taken": "rotary is the name of another kind, Rotary (RoPE)",
        "absent": "it cannot be imported: ModuleNotFoundError: No module named 'no_such_library'",
        "odd": "encodings_of_odd:np is not a class that derives from Encoding",
    }
    assert sorted(registry.complete()) == sorted(
        f"the encoding {name}_encoding of the package {name} is left out: {reason}" for name, reason in wanted.items()
    )
    with pytest.raises(KeyError):
        registry["no such"]


def test_a_package_that_never_ends_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, "slow", SLOW)
    monkeypatch.syspath_prepend(tmp_path)
    registry = Registry[Encoding](
        lambda kind: kind.family, tuple(ENCODINGS.values()), lambda asked: add_installed(asked, 0.05)
    )
    (sentence,) = registry.complete()
    assert sentence == (
        "the encoding slow_encoding of the package slow is left out: it takes more than 0.05 s to import and to "
        "compute 8 rows"
    )
    assert "ramp_of_mine" not in registry


def test_without_such_packages_nothing_is_imported_to_look_for_them() -> None:
    assert ENCODINGS.complete() == ()
    assert "no such family" not in ENCODINGS


def test_the_whole_file_in_the_page_is_an_encoding(registry: Registry[Encoding], tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "your-own-encoding.md").read_text(encoding="utf-8")
    file = page.partition("```python\n")[2].partition("```")[0]
    (kind,) = open_plugin(registry, written(tmp_path, file), PATIENT)
    assert table(kind.from_parameters({}), [50], [1]).item() == 1.0


def test_the_derivation_in_the_page_ends_at_the_entry_and_its_script_prints_it(
    registry: Registry[Encoding], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[3] / "docs" / "your-own-encoding.md").read_text(encoding="utf-8")
    blocks = [each.partition("```")[0] for each in page.split("```python\n")[1:]]
    made = open_plugin(registry, written(tmp_path, "\n".join(blocks)), PATIENT)
    explained = next(kind for kind in made if kind.family == "explained_ramp").from_parameters({})
    derivation = explain(explained, 7, 2)
    assert derivation.value == table(explained, [7], [2]).item() == 0.21
    assert derivation.to_text().splitlines() == [
        "R(7, 2) = 7 * (2 + 1) / 100",
        "2 + 1 = 3",
        "7 * 3 = 21",
        "21 / 100 = 0.21",
    ]
    assert r"\frac{7 \cdot (2 + 1)}{100}" in derivation.to_latex()
    exec(compile(derivation.to_python(), "script", "exec"), {})
    assert capsys.readouterr().out == "0.21\n"


LATE = {
    "raises": ("if (positions > 20).any(): raise RuntimeError('no more')", "values raises RuntimeError: no more"),
    "shape": ("if (positions > 20).any(): return np.zeros(3)", "values raises TypeError: an array of shape (3,)"),
    "nan": ("positions = np.where(positions > 20, np.nan, positions)", "a number is not finite or beyond 1e+30"),
    "huge": ("positions = np.where(positions > 20, 1e40, positions)", "a number is not finite or beyond 1e+30"),
}
"""By what happens beyond the rows of the trial: the line, and the end of the sentence."""


@pytest.mark.parametrize("way", LATE)
def test_entries_that_fail_after_the_trial_are_0_and_are_named(
    registry: Registry[Encoding], tmp_path: Path, way: str
) -> None:
    line, sentence = LATE[way]
    text = changed("        return", f"        {line}\n        return")
    (kind,) = open_plugin(registry, written(tmp_path, text), PATIENT)
    made = kind.from_parameters({})
    assert table(made, [19, 20, 21, 500], [0])[:, 0].tolist() == [0.19, 0.2, 0.0, 0.0]
    assert made.range_over(0, 60)[0] == 0.0
    assert explain(made, 21, 0).value == 0.0
    (warning,) = made.warnings
    assert warning.startswith(f"entries are left out, and are 0: at position 32, {sentence}")


def test_a_derivation_and_a_range_that_fail_after_the_trial_have_their_defaults(
    registry: Registry[Encoding], tmp_path: Path
) -> None:
    more = """
    def explain(self, position, column):
        return super().explain(position, column) if position < 10 else self.no_such

    def range_over(self, first, stop):
        return (0.0, 1.0) if stop < 20 else (float("nan"), 1.0)
"""
    (kind,) = open_plugin(registry, written(tmp_path, MINIMAL + more), PATIENT)
    made = kind.from_parameters({})
    assert made.range_over(0, 10) == (0.0, 1.0)
    assert made.range_over(0, 101) == (0.0, 8.0)
    assert explain(made, 50, 1).value == 1.0
    assert made.warnings == ()


def test_positions_outside_the_domain_are_refused_and_not_left_out(
    registry: Registry[Encoding], tmp_path: Path
) -> None:
    (kind,) = open_plugin(registry, written(tmp_path, f"{MINIMAL}\n    domain = (0, 9)\n"), PATIENT)
    with pytest.raises(ValueError, match=r"^position 10 has no value; the positions are 0\.\.9$"):
        table(kind.from_parameters({}), [10])
    assert kind.from_parameters({}).warnings == ()
