"""Every scaling gives the frequencies of exact arithmetic, leaves them alone where it should, and refuses nonsense."""

import math
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rope_data import CONFIGS, errors, name, rows

from posenc_core import (
    DynamicNtk,
    FrequencyScale,
    Linear,
    Llama3,
    LongRope,
    NtkAware,
    NtkByParts,
    Proportional,
    Yarn,
)
from posenc_core.explain.derivation import Digits
from posenc_core.rope_scaling import SCALINGS, RopeScaling

EXACT = 1e-12
"""Relative: float64 with room for a few roundings."""


def unscaled(rotary_dim: int, base: float) -> np.ndarray:
    return np.power(float(base), -np.arange(0, rotary_dim, 2) / rotary_dim)


def scaled(scaling: RopeScaling, rotary_dim: int, base: float) -> np.ndarray:
    return scaling.frequencies(unscaled(rotary_dim, base), base)


def yarn(params: dict[str, Any]) -> Yarn:
    return Yarn(**{key: params[key] for key in params if key not in ("name", "head_dim", "base")})


def phi3(row: dict[str, Any]) -> LongRope:
    (config,) = (each["config_old"] for each in CONFIGS if each["name"] == "phi3_mini_128k_short")
    lists = config["rope_scaling"]
    seq_len = 4097 if row["params"]["factors"] == "long" else 4096
    return LongRope(lists["short_factor"], lists["long_factor"], 4096, 131072, seq_len=seq_len)


@pytest.mark.parametrize("row", rows("rope_freq_scale"), ids=name)
def test_a_frequency_scale_multiplies_angles(row: dict[str, Any]) -> None:
    params = row["params"]
    theta = scaled(FrequencyScale(params["rope_freq_scale"]), params["head_dim"], params["base"])[row["dim"]]
    angle = row["pos"] * theta
    value = angle if row["what"] == "angle" else math.cos(angle)
    assert value == pytest.approx(row["value"], rel=EXACT, abs=1e-12)


@pytest.mark.parametrize("row", rows("rope_linear"), ids=name)
def test_linear_divides_positions(row: dict[str, Any]) -> None:
    params = row["params"]
    theta = scaled(Linear(params["factor"]), params["head_dim"], params["base"])[row["dim"]]
    assert theta * (1 if row["pos"] is None else row["pos"]) == pytest.approx(row["value"], rel=EXACT)


@pytest.mark.parametrize("row", rows("rope_ntk"), ids=name)
def test_ntk_changes_the_base(row: dict[str, Any]) -> None:
    params = row["params"]
    scaling, width, base = NtkAware(params["factor"]), params["head_dim"], params["base"]
    if row["what"].startswith("b'"):
        assert scaling.base(width, base) == pytest.approx(row["value"], rel=EXACT)
    else:
        slowdown = unscaled(width, base)[row["dim"]] / scaled(scaling, width, base)[row["dim"]]
        assert slowdown == pytest.approx(row["value"], rel=EXACT)


@pytest.mark.parametrize("row", rows("rope_ntk_alpha"), ids=name)
def test_hunyuans_alpha_is_a_fixed_ntk_factor(row: dict[str, Any]) -> None:
    params = row["params"]
    scaling = NtkAware(params["alpha"])
    if row["dim"] is None:
        assert scaling.base(params["head_dim"], params["base"]) == pytest.approx(row["value"], rel=EXACT)
    else:
        theta = scaled(scaling, params["head_dim"], params["base"])[row["dim"]]
        assert theta == pytest.approx(row["value"], rel=EXACT)


@pytest.mark.parametrize("row", rows("rope_dynamic"), ids=name)
def test_dynamic_ntk_has_a_base_for_every_length(row: dict[str, Any]) -> None:
    params = row["params"]
    scaling = DynamicNtk(params["factor"], params["max_position_embeddings"], row["pos"])
    assert scaling.base(params["head_dim"], params["base"]) == pytest.approx(row["value"], rel=EXACT)
    with_base = unscaled(params["head_dim"], row["value"])
    np.testing.assert_allclose(scaled(scaling, params["head_dim"], params["base"]), with_base, rtol=EXACT)


@pytest.mark.parametrize(("factor", "rope_theta"), [(9e298, 0.5), (9e298, 1e10), (1e308, 1.0)])
def test_an_ntk_base_larger_than_any_number_is_refused(factor: float, rope_theta: float) -> None:
    with pytest.raises(ValueError, match=r"gives a base larger than any number$"):
        NtkAware(factor).base(66, rope_theta)


@pytest.mark.parametrize("row", rows("rope_ntk_by_parts_paper"), ids=name)
def test_the_papers_ramp_is_over_turns(row: dict[str, Any]) -> None:
    params = dict(row["params"])
    width, base = params.pop("head_dim"), params.pop("base")
    assert scaled(NtkByParts(**params), width, base)[row["dim"]] == pytest.approx(row["value"], rel=EXACT)


@pytest.mark.parametrize("row", rows("rope_yarn"), ids=name)
def test_the_released_yarn_has_a_ramp_over_indices(row: dict[str, Any]) -> None:
    params, what = row["params"], row["what"]
    scaling, width, base = yarn(params), params["head_dim"], params["base"]
    low, high = scaling.correction_range(width, base)
    if row["dim"] is not None:
        value = scaled(scaling, width, base)[row["dim"]]
    elif what.startswith("low"):
        value = low
    elif what.startswith("high"):
        value = high
    else:
        turns = scaling.beta_fast if "beta_fast" in what else scaling.beta_slow
        value = scaling.correction_index(turns, width, base)
    assert value == pytest.approx(row["value"], rel=EXACT)


@pytest.mark.parametrize("row", rows("yarn_attention_factor"), ids=name)
def test_yarns_temperature(row: dict[str, Any]) -> None:
    scaling = Yarn(original_max_position_embeddings=4096, **row["params"])
    softmax = row["what"].startswith("extra")
    assert (scaling.softmax_scale_factor if softmax else scaling.amplitude) == pytest.approx(row["value"], rel=1e-14)


@pytest.mark.parametrize("row", rows("rope_llama3"), ids=name)
def test_llama3_is_by_parts_with_other_names(row: dict[str, Any]) -> None:
    params = dict(row["params"])
    width, base = params.pop("head_dim"), params.pop("base")
    scaling = Llama3(**params)
    assert scaled(scaling, width, base)[row["dim"]] == pytest.approx(row["value"], rel=EXACT)
    by_parts = NtkByParts(scaling.factor, scaling.original_max_position_embeddings, alpha=1, beta=4)
    np.testing.assert_array_equal(scaled(scaling, width, base), scaled(by_parts, width, base))


def test_equal_ends_make_a_step_as_in_llama_4_scout() -> None:
    """The comparisons of Meta's ``apply_scaling``, which has no blend to make."""
    scaling, theta = Llama3(16, 8192, 1, 1), unscaled(128, 5e5)
    is_long = 2 * math.pi / theta > 8192 / 1.0
    np.testing.assert_array_equal(scaled(scaling, 128, 5e5), np.where(is_long, theta / 16, theta))
    assert np.flatnonzero(is_long)[0] == 35
    by_parts = NtkByParts(16, 8192, alpha=1, beta=1)
    np.testing.assert_array_equal(scaled(by_parts, 128, 5e5), scaled(scaling, 128, 5e5))
    (sentence,) = scaling.warnings(64)
    assert sentence.startswith("low_freq_factor and high_freq_factor are both 1: no pair is blended")
    kept, divided = (scaling.steps(pair, theta, 5e5, Digits(8))[1].text for pair in (34, 35))
    assert kept.endswith("1.2235797 ≥ 1, γ = 1")
    assert divided.endswith("0.9967491 < 1, γ = 0")


def test_a_pair_that_lies_on_the_step_is_kept() -> None:
    """Its wavelength is not above the limit, and transformers' blend of it would be 0/0."""
    theta = unscaled(8, 1e4)
    for pair, of_pair in enumerate(theta):
        turns = 4096 * of_pair / (2 * math.pi)
        kept = Llama3(4, 4096, turns, turns).frequencies(theta, 1e4) == theta
        assert kept.tolist() == [other <= pair for other in range(4)]


@pytest.mark.parametrize("truncate", [True, False])
def test_equal_betas_make_an_empty_ramp_as_in_kimi_k2(truncate: bool) -> None:
    """64 columns of base 50000: c(1) = 32 ln(4096/2π)/ln 50000 = 19.16; the released code widens an end by 0.001."""
    scaling, theta = Yarn(32, 4096, beta_fast=1, beta_slow=1, truncate=truncate), unscaled(64, 5e4)
    index = 32 * math.log(4096 / (2 * math.pi)) / math.log(5e4)
    assert scaling.correction_range(64, 5e4) == ((19, 20) if truncate else pytest.approx((index, index + 0.001)))
    is_slow = np.arange(32) > index
    np.testing.assert_allclose(scaled(scaling, 64, 5e4), np.where(is_slow, theta / 32, theta), rtol=EXACT)
    assert scaling.warnings(32) == (
        "beta_fast and beta_slow are both 1: the ramp is empty, at most one pair is blended",
    )
    end = scaling.steps(20, theta, 5e4, Digits(8))[2].text
    place = "rounded up to 20, at most 63" if truncate else "19.165575, at most 63 with 0.001 added"
    assert end.startswith(f"high, the pair of 1 turn, {place}")
    assert end.endswith("64·ln(4096/(2π·1))/(2 ln 50000) ≈ 19.164575")


@pytest.mark.parametrize("row", rows("rope_longrope"), ids=name)
def test_longrope_divides_each_pair_by_its_own_number(row: dict[str, Any]) -> None:
    params = row["params"]
    if row["dim"] is None:
        scaling = LongRope([1], [1], params["original_max_position_embeddings"], 1, factor=params["factor"])
        assert scaling.amplitude == pytest.approx(row["value"], rel=1e-14)
    else:
        value = scaled(phi3(row), params["head_dim"], params["base"])[row["dim"]]
        assert value == pytest.approx(row["value"], rel=EXACT)


@pytest.mark.parametrize("row", rows("rope_proportional"), ids=name)
def test_proportional_keeps_the_whole_width_in_the_exponent(row: dict[str, Any]) -> None:
    params = row["params"]
    frequencies = scaled(Proportional(params["partial_rotary_factor"]), params["head_dim"], params["base"])
    assert frequencies[row["dim"]] == pytest.approx(row["value"], rel=EXACT)
    assert np.count_nonzero(frequencies) == 64


LENGTHS = st.integers(8, 10**6)
FACTORS = st.floats(1, 1000)
WIDTHS = st.integers(2, 64).map(lambda pairs: 2 * pairs)
BASES = st.floats(2, 1e9)

DRAWN: dict[type[RopeScaling], Any] = {
    FrequencyScale: st.builds(FrequencyScale, st.floats(0.001, 1)),
    Linear: st.builds(Linear, FACTORS),
    NtkAware: st.builds(NtkAware, FACTORS),
    DynamicNtk: st.builds(DynamicNtk, FACTORS, LENGTHS, LENGTHS),
    NtkByParts: st.builds(NtkByParts, FACTORS, LENGTHS, st.floats(0.1, 4), st.floats(5, 64)),
    Yarn: st.builds(Yarn, FACTORS, LENGTHS, st.floats(5, 64), st.floats(0.1, 1), truncate=st.booleans()),
    Llama3: st.builds(Llama3, FACTORS, LENGTHS, st.floats(0.1, 4), st.floats(5, 64)),
    Proportional: st.builds(Proportional, st.floats(0.01, 1), FACTORS),
}


@given(st.sampled_from(list(DRAWN)).flatmap(DRAWN.__getitem__), WIDTHS, BASES)
def test_no_pair_becomes_faster_and_the_steps_arrive_at_the_frequencies(
    scaling: RopeScaling, width: int, base: float
) -> None:
    before, after = unscaled(width, base), scaled(scaling, width, base)
    assert after.dtype == np.float64
    assert after.shape == before.shape
    assert (after <= before * (1 + EXACT)).all()
    assert (after >= 0).all()
    pair = width // 3 % len(after)
    steps = scaling.steps(pair, before, base, Digits(8))
    assert steps[-1].value == pytest.approx(after[pair], rel=1e-9, abs=0)
    for step in (*steps, *scaling.amplitude_steps(Digits(8))):
        assert "\n" not in step.text
        assert step.latex.count("{") == step.latex.count("}")


IDENTITIES: list[Callable[[int], RopeScaling]] = [
    lambda length: FrequencyScale(1),
    lambda length: Linear(1),
    lambda length: NtkAware(1),
    lambda length: DynamicNtk(8, length, length),
    lambda length: NtkByParts(1, length),
    lambda length: Yarn(1, length),
    lambda length: Llama3(1, length),
    lambda length: Proportional(1),
]


@pytest.mark.parametrize("identity", IDENTITIES, ids=lambda make: type(make(8)).__name__)
@given(length=LENGTHS, width=WIDTHS, base=BASES)
def test_scaling_by_one_changes_nothing(
    identity: Callable[[int], RopeScaling], length: int, width: int, base: float
) -> None:
    scaling = identity(length)
    np.testing.assert_allclose(scaled(scaling, width, base), unscaled(width, base), rtol=EXACT)
    assert scaling.amplitude == 1


def test_longrope_by_ones_changes_nothing() -> None:
    scaling = LongRope([1] * 4, (1.0,) * 4, 4096, 4096, seq_len=10**6)
    np.testing.assert_array_equal(scaled(scaling, 8, 1e4), unscaled(8, 1e4))
    assert scaling.amplitude == 1


@given(factor=FACTORS, width=WIDTHS, base=BASES)
def test_linear_is_a_frequency_scale_and_ntk_ends_at_the_factor(factor: float, width: int, base: float) -> None:
    linear, scale = scaled(Linear(factor), width, base), scaled(FrequencyScale(1 / factor), width, base)
    np.testing.assert_allclose(linear, scale, rtol=EXACT)
    ntk = scaled(NtkAware(factor), width, base)
    assert ntk[0] == 1
    assert ntk[-1] == pytest.approx(linear[-1], rel=EXACT)


def test_the_attention_factor_as_given_wins() -> None:
    assert Yarn(40, 4096, attention_factor=0.9, mscale=1, mscale_all_dim=2).amplitude == 0.9
    assert LongRope([1], [1], 4096, 131072, attention_factor=1.5).amplitude == 1.5
    (step,) = Yarn(40, 4096, attention_factor=0.9).amplitude_steps(Digits(8))
    assert step.text == "attention factor a = 0.9, as given"


def test_mscale_without_its_partner_is_ignored_and_said_so() -> None:
    scaling = Yarn(40, 4096, mscale=0.707)
    assert scaling.amplitude == Yarn(40, 4096).amplitude
    (sentence,) = scaling.warnings(32)
    assert "mscale is given without mscale_all_dim" in sentence
    assert Yarn(40, 4096, mscale=0.707, mscale_all_dim=1).amplitude == pytest.approx(0.9210423553, abs=1e-10)
    assert Yarn(40, 4096, mscale=0.707, mscale_all_dim=1).warnings(32) == ()


def refusal(scope: str, number: int) -> str:
    row = errors(scope)[number]
    assert row["expected"].startswith("ValueError")
    return str(row["message"])


REFUSED = [
    (lambda: Linear(0.5), refusal("rope_linear", 1)),
    (lambda: Linear(0), refusal("rope_linear", 2)),
    (lambda: scaled(NtkAware(2), 2, 1e4), refusal("rope_ntk/dynamic", 0)),
    (lambda: scaled(DynamicNtk(2, 4096, 8192), 2, 1e4), refusal("rope_ntk/dynamic", 0)),
    (lambda: Yarn(4, 4096, beta_fast=1, beta_slow=32), refusal("rope_yarn", 0)),
    (lambda: Yarn(4, 4), refusal("rope_yarn", 1)),
    (lambda: Llama3(8, 8192, 4, 1), refusal("rope_llama3", 0)),
    (lambda: scaled(LongRope([1.0] * 64, [1.0] * 10, 4096, 8192), 128, 1e4), refusal("rope_longrope", 0)),
    (lambda: DynamicNtk(2, 4096, 0), "seq_len must be an integer >= 1, got 0"),
    (lambda: FrequencyScale(0), "rope_freq_scale must be > 0, got 0"),
    (lambda: FrequencyScale(math.inf), "rope_freq_scale must be a finite number > 0, got inf"),
    (lambda: Linear(math.nan), "factor must be a finite number >= 1, got nan"),
    (lambda: Proportional(0), "partial_rotary_factor must be in (0, 1], got 0"),
    (lambda: Proportional(1.5), "partial_rotary_factor must be in (0, 1], got 1.5"),
    (lambda: NtkByParts(2, 4096, alpha=32, beta=1), "beta (1) must be greater than alpha (32)"),
    (lambda: Llama3(16, 8192, 1.25, 1), "high_freq_factor (1) must be greater than low_freq_factor (1.25)"),
    (lambda: Yarn(4, 4096, beta_fast=1, beta_slow=1.5), "beta_fast (1) must be greater than beta_slow (1.5)"),
    (
        lambda: scaled(Yarn(4, 4096, beta_fast=1e308), 128, 1e4),
        "beta_slow and beta_fast must be numbers of turns that a pair can make, got 1e+308",
    ),
    (lambda: Yarn(4, 0), "original_max_position_embeddings must be an integer >= 1, got 0"),
    (lambda: LongRope([1], [1], 1, 2), "original_max_position_embeddings must be an integer >= 2, got 1"),
    (lambda: LongRope([1, 0], [1, 1], 4096, 8192), "short_factor[1] must be a finite number > 0, got 0"),
    (
        lambda: scaled(Yarn(4, 4096), 128, 1),
        "YaRN needs a base (rope_theta) > 1 (its ramp divides by the logarithm of the base), got 1",
    ),
]


@pytest.mark.parametrize(("make", "sentence"), REFUSED, ids=lambda part: part[:40] if isinstance(part, str) else "")
def test_nonsense_is_refused_in_a_sentence(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=r"\S") as caught:
        make()
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Linear("4"), "factor must be a number, got '4' (str)"),
        (lambda: Linear(True), "factor must be a number, got True (bool)"),
        (lambda: DynamicNtk(2, 4096, 2.5), "seq_len must be an integer, got 2.5 (float)"),
        (
            lambda: LongRope("1 2", [1], 4096, 8192),
            "short_factor must be a list of finite numbers > 0, one per pair, got '1 2'",
        ),
        (lambda: Yarn(4, 4096, truncate=0), "truncate must be true or false, got 0"),
    ],
)
def test_other_kinds_of_values_are_refused(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(TypeError) as caught:
        make()
    assert str(caught.value) == sentence


def test_surprising_parameters_are_allowed_and_said() -> None:
    assert "shortens the context" in FrequencyScale(2).warnings(4)[0]
    assert "nothing is rotated" in Proportional(0.01).warnings(4)[0]
    assert "the correction range is empty" in Yarn(4, 10, beta_slow=2).warnings(4)[0]


def test_scalings_are_frozen_comparable_values_that_their_fields_describe() -> None:
    assert Yarn(4, 4096) == Yarn(4.0, 4096, beta_fast=32.0)
    assert len({LongRope([1, 2], [3, 4], 2, 4), LongRope(np.array([1, 2]), (3, 4), 2, 4)}) == 1
    assert list(SCALINGS) == [scaling.rope_type for scaling in SCALINGS.values()]
    for scaling in SCALINGS.values():
        assert [field.name for field in scaling.FIELDS] == [field.name for field in fields(scaling)]
        for field in scaling.FIELDS:
            assert field.tool_tip
            assert field.parse(field.format(field.default)) == field.default


def test_entries_of_scalings_have_the_words_of_their_classes() -> None:
    program = (
        "import sys\n"
        "from posenc_core.rope_scaling import SCALING, SCALINGS\n"
        "before = SCALINGS.titles, SCALING.choice\n"
        "assert 'posenc_core.rope_scaling.yarn' not in sys.modules\n"
        "assert [(kind.rope_type, kind.title) for kind in SCALINGS.values()] == list(before[0])\n"
        "assert (SCALINGS.titles, SCALING.choice) == before\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
