"""The core in a notebook or a script: encodings by name, exact tables, pictures, and an import that loads little."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from made_families import ContentBias, FadingBias

import posenc_core
from posenc_core import (
    ENCODINGS,
    Alibi,
    Encoding,
    LearnedTable,
    Rotary,
    Sinusoidal,
    Yarn,
    encode,
    encoding,
    explain,
    table,
)

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", ENCODINGS)
def test_each_family_is_made_by_its_name_with_its_defaults(name: str) -> None:
    assert encoding(name) == ENCODINGS[name].from_parameters({})


def test_parameters_are_given_by_name_and_a_part_as_a_name_or_a_value() -> None:
    yarn = Yarn(4.0, 4096)
    assert encoding("rotary", head_dim=64, scaling="yarn", factor=4.0, original_max_position_embeddings=4096) == Rotary(
        64, scaling=yarn
    )
    assert encoding("rotary", head_dim=64, scaling=yarn, rotary_dim=None) == Rotary(64, scaling=yarn)
    assert encoding("rotary", head_dim=64, scaling=None) == Rotary(64)
    weights = np.eye(3)
    assert np.array_equal(table(encoding("learned", weights=weights), range(3)), weights)


def test_parameters_of_a_formula_are_given_by_their_names_in_it() -> None:
    wave = encoding("formula", formula="sin(alpha*p)", d_model=1, alpha=0.5)
    assert wave == encoding("formula", formula="sin(alpha*p)", d_model=1, **{"parameter alpha": 0.5})
    np.testing.assert_allclose(table(wave, [0, 1, 2])[:, 0], np.sin([0.0, 0.5, 1.0]), rtol=1e-15)


@pytest.mark.parametrize(
    ("name", "parameters", "sentence"),
    [
        ("sinusoid", {}, r"^the family must be none, integer, .*, alibi, rotary.*, got 'sinusoid'$"),
        ("alibi", {"heads": 8}, r"^the family alibi has no parameter 'heads'; it has n_heads$"),
        ("formula", {"formula": "alpha*p", "alpha": 1.0, "parameter alpha": 2.0}, "the parameter alpha is given twice"),
        ("formula", {"formula": "alpha*p", "beta": 1.0}, "the family formula has no parameter .beta.; it has"),
        ("sinusoidal", {"d_model": 0}, r"^d_model must be an integer >= 1, got 0$"),
        ("rotary", {"scaling": "yarns"}, r"^scaling must be .*, got 'yarns'$"),
    ],
)
def test_wrong_names_and_values_are_refused_in_a_sentence(
    name: str, parameters: dict[str, object], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        encoding(name, **parameters)


def test_a_table_has_the_entries_in_float64() -> None:
    found = table(Sinusoidal(4), [3, -1, 10**6], [2, 1])
    angles = np.array([3.0, -1.0, 10.0**6])
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, np.stack([np.sin(angles / 100), np.cos(angles)], 1), rtol=0, atol=1e-9)
    np.testing.assert_allclose(encode(Sinusoidal(4), range(9)), table(Sinusoidal(4), range(9)), rtol=0, atol=2e-7)
    with pytest.raises(IndexError, match=r"column 4 is outside 0\.\.3"):
        table(Sinusoidal(4), [0], [4])
    with pytest.raises(ValueError, match="position 3 is out of range for a learned table of 3 rows"):
        table(LearnedTable(np.eye(3)), [3])


def drawn(shown: Encoding) -> tuple[list[ElementTree.Element], str]:
    """The cells of the heatmap and the caption; the figure must be well-formed."""
    figure = ElementTree.fromstring(shown._repr_html_())
    caption = figure.find("figcaption")
    assert caption is not None
    return figure.findall(f"{SVG}svg/{SVG}rect"), caption.text or ""


def test_a_notebook_shows_an_encoding_as_a_heatmap_a_caption_and_numbers() -> None:
    cells, caption = drawn(Sinusoidal(6))
    assert caption == (
        "Sinusoidal: d_model 6, base 10000, layout interleaved, spacing paper, offset 0; a row per position"
    )
    assert len(cells) == 64 * 6
    colours = {(int(each.get("y", "")), int(each.get("x", ""))): each.get("fill", "") for each in cells}
    zero, one = colours[0, 0], colours[0, 1]
    assert (zero, one) == ("#f7f7f7", "#b2182b"), "sin 0 is 0, cos 0 the largest number"
    red, blue = int(colours[3, 1][1:3], 16), int(colours[3, 1][5:], 16)
    assert blue > red, "cos 3 is near -1"
    numbers = re.findall(r"<td>([^<…]*)</td>", Sinusoidal(6)._repr_html_())
    assert [float(number) for number in numbers[6:12]] == pytest.approx(table(Sinusoidal(6), [1])[0], abs=1e-6)


def test_a_wide_table_is_drawn_as_means_and_says_so() -> None:
    cells, caption = drawn(Sinusoidal(512))
    assert len(cells) == 64 * 64
    assert caption.endswith("a cell is the mean of 8 columns")


def test_relative_families_are_drawn_by_distance_and_short_tables_as_far_as_they_go() -> None:
    cells, caption = drawn(Alibi(2))
    assert "a row per distance, query - key, the past at the top" in caption
    assert len(cells) == 64 * 2
    assert "<th>-3</th>" in Alibi(2)._repr_html_()
    assert "<th>0</th>" in Alibi(2)._repr_html_()
    assert len(drawn(LearnedTable(np.eye(3)))[0]) == 9
    assert len(drawn(FadingBias(3))[0]) == 64 * 3


def test_a_family_that_needs_tokens_says_so_and_names_are_no_html() -> None:
    assert "Content bias needs the queries and keys of the tokens" in ContentBias()._repr_html_()
    named = LearnedTable.from_array(np.eye(2), "<b>&")
    assert "<b>" not in named._repr_html_()


@pytest.mark.parametrize("name", ENCODINGS)
def test_each_family_is_drawn_in_a_notebook(name: str) -> None:
    made = encoding(name)
    if made.needs_content:
        assert "needs the queries and keys of the tokens" in made._repr_html_()
        return
    cells, _ = drawn(made)
    assert 0 < len(cells) <= 64 * 64


def test_a_notebook_typesets_a_derivation() -> None:
    derivation = explain(Sinusoidal(4), 1, 2)
    assert derivation._repr_latex_() == f"$$\n{derivation.to_latex()}\n$$"


def test_importing_the_core_loads_no_qt_and_no_room_that_is_not_asked_for() -> None:
    program = (
        "import sys, posenc_core; print(*(name for name in sys.modules if name.startswith(('posenc', 'PySide6'))))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {
        "posenc_core",
        *(f"posenc_core.{each}" for each in ("explain", "faces", "fields")),
    }


def test_every_public_name_has_a_docstring() -> None:
    named = {name: getattr(posenc_core, name) for name in posenc_core.__all__}
    assert not [name for name, value in named.items() if not value.__doc__]
