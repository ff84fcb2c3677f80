"""The family of typed formulas: its kinds against built-in families and plain numpy, its fields, what it leaves out."""

import contextlib
import io
import json
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from families import formula, value
from hypothesis import example, given
from hypothesis import strategies as st

from posenc_core import ENCODINGS, Alibi, Document, Rotary, Sinusoidal, encode, explain, frequencies, tile
from posenc_core.analysis import explain_pair, shift_residual
from posenc_core.encodings import Effect
from posenc_core.explain import NUMPY
from posenc_core.formula import FUNCTIONS, as_text, evaluated, parsed_formula
from posenc_core.long_context import unseen_angles
from posenc_core.scripts import source_of
from posenc_core.tables import Cancelled
from posenc_core.text import drawn_vectors

PRESETS = Path(__file__).parents[3] / "resources" / "presets"
FAR = np.array([-1000, -1, 0, 1, 7, 59, 4095, 10**6, 10**7])


def preset(name):
    stored = json.loads((PRESETS / f"formula-{name}.json").read_text(encoding="utf-8"))
    return ENCODINGS["formula"].from_parameters({**stored["encoding"], "seq_len": stored["seq_len"]})


@pytest.mark.parametrize("d_model", [1, 2, 7, 8, 64])
@pytest.mark.parametrize("base", [10000.0, 37.5])
def test_the_papers_formula_is_the_sinusoidal_family(d_model, base):
    typed = formula("sin(p / b^(2*i/d))", "cos(p / b^(2*i/d))", d_model=d_model, base=base)
    built = Sinusoidal(d_model, base)
    columns = np.arange(d_model)
    near = FAR[np.abs(FAR) <= 4095]
    np.testing.assert_allclose(typed.values(near, columns), built.values(near, columns), rtol=0, atol=3e-12)
    np.testing.assert_allclose(typed.values(FAR, columns), built.values(FAR, columns), rtol=0, atol=1e-8)
    np.testing.assert_allclose(encode(typed, FAR), encode(built, FAR), rtol=0, atol=2e-7)
    pictures = [tile(each, (0, 300), (0, d_model), (40, 5)) for each in (typed, built)]
    np.testing.assert_allclose(*pictures, rtol=0, atol=2e-7)


@pytest.mark.parametrize("d_model", [2, 7, 8])
def test_an_angle_is_the_sinusoidal_family_with_its_frequencies(d_model):
    typed, built = formula("p / b^(2*i/d)", kind="angle", d_model=d_model), Sinusoidal(d_model)
    np.testing.assert_allclose(typed.values(FAR, np.arange(d_model)), built.values(FAR, np.arange(d_model)), atol=1e-8)
    np.testing.assert_allclose(frequencies(typed), frequencies(built), rtol=1e-14)
    assert [typed.column_info(c) == built.column_info(c) for c in (0, 1)] == [True, True]
    assert unseen_angles(typed, 64, 256).count == unseen_angles(built, 64, 256).count
    if d_model == 8:
        assert shift_residual(typed, 1) < 1e-12


def test_a_rotation_is_rope_with_its_scores():
    typed, built = formula("p / b^(2*i/d)", kind="rotation", d_model=8), Rotary(8, pairing="interleaved")
    vectors = drawn_vectors("q", 3, ["a", "b", "c"], 8)
    positions = np.array([0, 5, 77])
    np.testing.assert_allclose(typed.rotation.rotate(vectors, positions), built.rotate(vectors, positions), atol=1e-12)
    assert typed.effect is Effect.ROTATES
    for mode in ("ones", "bound"):
        scores = [each.scores.by_distance(np.arange(-9, 1), mode, None, None) for each in (typed, built)]
        np.testing.assert_allclose(*scores, atol=1e-12)
    np.testing.assert_allclose(typed.pair_values(range(5), range(5)), built.pair_values(range(5), range(5)), atol=1e-12)
    assert explain_pair(typed, 0, 4, 1).value == pytest.approx(explain_pair(built, 0, 4, 1).value)
    for column in (2, 3):
        (turned,) = typed.combination.combined(vectors[:1], np.array([7]))
        derived = typed.combination.explain(vectors[0], 7, column)
        assert derived.value == pytest.approx(turned[column])
    derived = typed.combination.explain(np.array([1.0, -2.0] * 4), 3, 0)
    assert derived.steps[-1].text == "1 cos(a) - (-2) sin(a) ≈ -0.70775248"


def test_an_angle_that_is_not_linear_rotates_without_frequencies():
    typed = formula("tau*sqrt(p)", kind="rotation", d_model=4, tau=2.0)
    assert typed.rotation is None
    assert typed.scores is None
    (turned,) = typed.rotate([[1.0, 0.0, 0.0, 1.0]], [9])
    assert turned == pytest.approx([np.cos(6), np.sin(6), -np.sin(6), np.cos(6)])


def test_a_bias_is_alibi():
    typed, built = formula("-n * 2^(-8*(h + 1)/H)", kind="bias", n_heads=8), Alibi(8)
    distances = np.arange(-40, 1)
    np.testing.assert_allclose(typed.values(distances, np.arange(8)), built.values(distances, np.arange(8)), rtol=1e-15)
    np.testing.assert_allclose(
        typed.pair_values(range(9), range(3), 2)[3:], built.pair_values(range(9), range(3), 2)[3:]
    )
    assert value(typed, 5, 0) == value(typed, -5, 0), "n counts tokens"
    assert value(formula("delta", kind="bias"), -5, 0) == -5


def test_every_preset_is_its_numpy():
    p, c = np.arange(12.0)[:, None], np.arange(16.0)
    i, even = c // 2, c % 2 == 0
    angle = p / 10000 ** (2 * i / 16)
    slow = 10 * np.log1p(p) / 10000 ** (2 * i / 16)
    half = np.arange(8) / 8
    hashed = [np.modf(np.abs(np.sin(k * (np.arange(8) + 1)) * 43758.5453)) for k in (12.9898, 78.233)]
    u = [
        np.where(np.sin(k * (np.arange(8) + 1)) < 0, 1 - part, part)
        for k, (part, _) in zip((12.9898, 78.233), hashed, strict=True)
    ]
    turning = p / 4 * np.sqrt(-2 * np.log(u[0])) * np.abs(np.cos(2 * np.pi * u[1]))
    n, h = np.arange(12.0)[:, None], np.arange(4.0)
    pairs = 10000 ** (np.arange(8) / 8)
    expected = {
        "paper": np.where(even, np.sin(angle), np.cos(angle)),
        "in-halves": np.hstack([np.sin(p / 10000**half), np.cos(p / 10000**half)]),
        "reciprocal": np.broadcast_to(1 / (1 + p), (12, 8)),
        "triangle-waves": np.where(even, *(2 / np.pi * np.arcsin(wave(angle)) for wave in (np.sin, np.cos))),
        "gaussian-bumps": np.exp(-(((p - c * 59 / 15) / 4.8) ** 2) / 2),
        "logarithmic-positions": np.where(even, np.sin(slow), np.cos(slow)),
        "random-fourier": np.stack([np.sin(turning), np.cos(turning)], axis=-1).reshape(12, 16),
        "kerple": np.broadcast_to(-np.log1p(n), (12, 4)),
        "sandwich": np.cos(n / pairs).sum(axis=1, keepdims=True) / (8 * (h + 1) / 4),
    }
    assert expected.keys() == {path.stem.removeprefix("formula-") for path in PRESETS.glob("formula-*.json")}
    for name, table in expected.items():
        shown = preset(name)
        np.testing.assert_allclose(shown.values(np.arange(12), np.arange(shown.n_columns)), table, rtol=0, atol=1e-9)
        assert not shown.warnings, name


def test_a_formula_has_a_field_for_each_name_and_keeps_their_numbers():
    typed = formula("sin(alpha*p)", "cos(beta*p + alpha)")
    names = [field.name for field in typed.fields]
    assert names == [
        "formula",
        "formula_cos",
        "formula_kind",
        "parameter alpha",
        "parameter beta",
        "d_model",
    ]
    tuned = typed.edited("parameter alpha", 0.5).edited("formula_cos", "")
    assert [field.name for field in tuned.fields][3:5] == ["parameter alpha", "d_model"]
    assert [field.name for field in tuned.edited("formula", "alpha*p/L").fields][-1] == "seq_len"
    assert value(tuned, 3, 1) == np.sin(1.5)
    document = Document().with_encoding(tuned)
    assert json.loads(document.to_json())["encoding"]["parameter alpha"] == 0.5
    assert Document.from_json(document.to_json()) == document
    with pytest.raises(ValueError, match="alpha must be a number from -1e"):
        typed.edited("parameter alpha", 1e300)
    with pytest.raises(KeyError):
        typed.edited("parameter gamma", 1.0)


def test_another_kind_starts_with_its_own_formula_where_the_text_does_not_suit():
    typed = ENCODINGS["formula"].from_parameters({})
    assert [(typed.edited("formula_kind", kind).formula) for kind in ("angle", "bias")] == [
        "p / b^(2*i/d)", "-n * 2^(-8*(h + 1)/H)",
    ]  # fmt: skip
    kept = typed.edited("formula", "p*tau").edited("formula_cos", "").edited("formula_kind", "angle")
    assert kept.formula == "p*tau"
    assert kept.edited("formula_kind", "bias").formula == "-n * 2^(-8*(h + 1)/H)"
    with pytest.raises(ValueError, match="formula: p has no meaning in this kind of formula"):
        formula("p", kind="bias")
    with pytest.raises(ValueError, match="d_model must be even, got 3"):
        formula("p", kind="rotation", d_model=3)


def test_entries_that_are_not_finite_are_left_out_and_named():
    typed = formula("1/p", d_model=2, seq_len=5)
    assert typed.values(np.arange(3), np.arange(2)).tolist() == [[0, 0], [1, 1], [0.5, 0.5]]
    (sentence,) = typed.warnings
    assert sentence == (
        "2 of the 10 entries are not finite or beyond 1e+30, such as that of position 0, column 0: "
        "these entries are shown as 0"
    )
    derived = explain(typed, 0, 1)
    assert derived.value == 0
    assert derived.steps[-1].text == "1 / 0 is not finite: shown as 0"
    undefined = explain(formula("exp(p/p)", d_model=2), 0, 1)
    assert [step.text for step in undefined.steps] == ["position p: 0", "0 / 0 is not finite: shown as 0"]
    assert not formula("1/(1 + p)", d_model=2).warnings
    turned = formula("1/p", kind="angle", d_model=2)
    assert turned.values(np.array([0]), np.arange(2)).tolist() == [[0, 1]], "an angle that is left out is 0"


def test_the_derivation_goes_from_the_inside_out():
    texts = [step.text for step in explain(ENCODINGS["formula"].from_parameters({"d_model": 8}), 7, 5).steps]
    assert texts == [
        "position p: 7, base b: 10000, pair i: 2, width d: 8", "2 * 2 = 4", "4 / 8 = 0.5", "10000 ^ 0.5 = 100",
        "7 / 100 = 0.07", "cos(0.07) ≈ 0.9975510003",
    ]  # fmt: skip


def test_curves_run_between_whole_positions_and_through_the_dots():
    typed = formula("cos(3*p)", d_model=2)
    (line,) = typed.sampler.traces(np.array([0]), (0.0, 10.0), 400).lines
    np.testing.assert_allclose(line.y[0], np.cos(3 * line.x[0]), atol=1e-12)
    assert {*range(11)} <= {*line.x[0].tolist()}
    (pole,) = formula("1/(p - 2.5)", d_model=2).sampler.traces(np.array([0]), (0.0, 10.0), 400).lines
    assert (pole.y.min(), pole.y.max()) == (-2, 2), "a pole between two positions stays within their range"


def test_a_long_table_has_the_range_of_its_entries_and_its_evaluation_can_be_stopped():
    typed = formula("sin(p/3)/(1 + p)", d_model=1024, seq_len=1_000_000)
    first = np.arange(1000)
    entries = np.sin(first / 3) / (1 + first)
    assert typed.range_over(0, 1_000_000) == (entries.min(), entries.max())
    stopped = typed.reading.cancellable(lambda: False)
    assert stopped == typed
    with pytest.raises(Cancelled):
        stopped.values(np.arange(3), np.arange(3))


@pytest.mark.parametrize("text", ["1/(1 + abs(p - c))", "max(0, 1 - abs(p - i))", "1/(1 + abs(p - c/7 - 3))"])
@pytest.mark.parametrize(("d_model", "seq_len"), [(32769, 512), (8192, 8191), (700, 100_000)])
def test_a_narrow_peak_is_within_the_range_of_a_large_table(text, d_model, seq_len):
    """So it has a colour of its own in the heatmap, and no curve is cut off."""
    typed = formula(text, d_model=d_model, seq_len=seq_len)
    assert typed.range_over(0, seq_len)[1] == 1
    assert formula(f"-({text})", d_model=d_model).range_over(0, seq_len)[0] == -1
    (line,) = typed.sampler.traces(np.array([70]), (0.0, 80.0), 400).lines
    entries = typed.values(np.arange(80), np.array([70]))[:, 0]
    np.testing.assert_array_equal(np.interp(np.arange(80), line.x[0], line.y[0]), entries)


def test_an_edit_allocates_no_table():
    """Of a million positions and 4,096 columns: the document, its range, its warnings, and its script."""
    tracemalloc.start()
    typed = formula("sin(p/3)/(p*c)", d_model=4096, seq_len=1_000_000)
    document = Document(seq_len=1_000_000).with_encoding(typed).edited("base", 500.0)
    assert document.encoding.range_over(0, 1_000_000)[0] < 0
    assert "that were examined" in "".join(document.encoding.warnings)
    assert document.encoding.source(np.arange(1_000_000), NUMPY).lines
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * 2**20, "the positions of the script have 8 MB, the table would have 32 GB"


@given(st.floats(-50, 50), st.integers(-(10**6), 10**6))
def test_a_parameter_is_a_number_of_the_formula(alpha, position):
    typed = formula("alpha*p", d_model=2).edited("parameter alpha", alpha)
    assert value(typed, position, 0) == alpha * position


OPERATORS = ("+", "-", "*", "/", "//", "%", "^", "<", "<=", ">", ">=", "==", "!=")


def combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Formulas of one more operation, each operand in brackets."""
    calls = [st.sampled_from([name for name in FUNCTIONS if FUNCTIONS[name].counts == (1, 1)]), inner]
    return st.one_of(
        st.builds("({}) {} ({})".format, inner, st.sampled_from(OPERATORS), inner),
        st.builds("({}) if ({}) else ({})".format, inner, inner, inner),
        st.builds("{}({})".format, *calls),
        st.builds("-({})".format, inner),
    )


LEAVES = st.sampled_from(["p", "c", "i", "0.5", "2", "7", "(-2)", "1e20"])


@given(st.recursive(LEAVES, combined, max_leaves=8), st.sampled_from([0, 1, 7]), st.integers(0, 3))
@example("(p < 2) < 1", 7, 0)
@example("1.1e30", 7, 0)
@example("sign(1 if p < 8 else (-1))", 7, 0)
def test_the_python_and_the_text_of_a_derivation_have_the_entry(text, position, column):
    typed = formula(text, d_model=4)
    entry = value(typed, position, column)
    derived = explain(typed, position, column)
    assert derived.value == pytest.approx(entry, rel=1e-6, abs=1e-9)
    assert printed(derived) == pytest.approx(entry, rel=1e-9, abs=1e-9)
    names = {"p": float(position), "c": float(column), "i": float(column // 2)}
    again = parsed_formula(as_text(typed.formulas[0], repr), ("p", "c", "i"))
    np.testing.assert_equal(evaluated(again, names), evaluated(typed.formulas[0], names))


def printed(derived) -> float:
    """The number that the Python of a derivation prints."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(derived.python, {})
    return float(said.getvalue())


@pytest.mark.parametrize(
    "names", [("table", "positions"), ("len", "np"), ("float", "math"), ("print", "rows"), ("table", "table_")]
)
def test_a_parameter_may_have_any_name_of_a_script(names):
    one, other = names
    typed = formula(f"sin({one}*p/7) + {other}*abs(p < 3)", d_model=2, **{one: 2.0, other: 0.25})
    derived = explain(typed, 2, 1)
    entry = np.sin(4 / 7) + 0.25
    assert value(typed, 2, 1) == printed(derived) == pytest.approx(entry)
    made = {}
    exec(source_of(typed, range(9), NUMPY), made)
    np.testing.assert_allclose(made["table"], typed.values(np.arange(9), np.arange(2)), rtol=1e-12)
    assert made["positions"].tolist() == [*range(9)]
