"""Configurations that were damaged or made up: each opens as a model, or is refused in one plain sentence."""

import json
import resource
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from amounts import draws
from hostile import every_value, mutated_bytes, mutated_json, opened, rewrite
from hypothesis import given
from hypothesis import strategies as st
from work import work_of

from posenc_core import Document, open_model, rope_from_config
from posenc_core.model_config import Model, ModelConfig

DATA = Path(__file__).parents[2] / "data"
AUDIT: list[dict[str, Any]] = [
    row["config"] for row in json.loads((DATA / "model_audit.json").read_text(encoding="utf-8"))["rows"]
]
PUBLIC: list[dict[str, Any]] = [
    json.loads(path.read_text(encoding="utf-8")) for path in sorted((DATA / "model_configs").glob("*.json"))
]
SEEDS = AUDIT + PUBLIC
EACH = 800
LONG = int("9" * 401)


def check(model: Model) -> Model:
    """Assert the properties that the window and the command line rely on."""
    assert 1 <= len(model.layers) <= 10_000
    for sentence in (*model.notes, *(group.layer.sentence for group in model.groups), model.name):
        assert sentence.isprintable()
        assert len(sentence) < 400
    for length in (model.trained_length, model.target_length):
        assert length is None or (type(length) is int and length >= 1)
    assert all((group.layer.encoding is None) <= (group.layer.kind not in ("rotary", "bias")) for group in model.groups)
    shown = Document().with_model(model)
    try:
        again = Document.from_json(shown.to_json())
    except ValueError as error:  # which a refused configuration also raises
        pytest.fail(f"a session was written that does not open: {error}")
    assert again == shown
    return model


def read(config: Any) -> Model:
    return check(open_model(config))


def everything(config: dict[str, Any]) -> Model | None:
    """The model as the core reads it, after the window's and scripts' own ways to read it."""
    text = json.dumps(config)
    opened(lambda: ModelConfig.parse(text).shown_in(Document()))
    types = opened(lambda: ModelConfig.parse(text).layer_types)
    assert types is None or isinstance(types, tuple)
    opened(lambda: rope_from_config(config, seq_len=100), (ValueError, TypeError))
    model: Model | None = opened(lambda: read(config))
    return model


@pytest.fixture
def bounded() -> Iterator[None]:
    """Fails where the process has become much larger."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 300 * 1024, f"{grown // 1024} MB more"


@pytest.mark.thorough
def test_made_up_configurations(bounded: None, count: Any) -> None:
    models = [everything(config) for config in mutated_json(SEEDS, EACH, 11) if isinstance(config, dict)]
    good = sum(model is not None for model in models)
    assert min(good, len(models) - good) > 100
    count("hostile configurations of models tried", len(models))


def test_damaged_files(tmp_path: Path, bounded: None, count: Any) -> None:
    path = tmp_path / "config.json"

    def opened_file(data: bytes) -> Model:
        rewrite(path, data)
        return check(open_model(path))

    seeds = [json.dumps(each).encode() for each in SEEDS]
    models = [opened(lambda data=data: opened_file(data)) for data in mutated_bytes(seeds, EACH, 12)]
    good = sum(model is not None for model in models)
    assert min(good, EACH - good) > 100
    count("hostile configurations of models tried", EACH)


KEYS = sorted({key for config in SEEDS for key in config if len(key) < 40})


@pytest.mark.one_of(6)
@pytest.mark.parametrize("value", [LONG, -1e308, float("nan"), "7", [[]], {}, True])
def test_a_value_of_another_kind_under_every_key(value: Any, count: Any) -> None:
    for index, key in enumerate(KEYS):
        everything({**SEEDS[index % len(SEEDS)], key: value})
    count("keys tried with a value of another kind", len(KEYS))


@pytest.mark.one_of(4)
@pytest.mark.parametrize(
    "made",
    [
        lambda: {"layer_types": ["full_attention"] * 10**5},
        lambda: {"no_rope_layers": [1] * 10**5},
        lambda: {"layer_rope_theta": list(range(10**5))},
        lambda: {"rope_theta": [1e4] * 10**5},
        lambda: {"per_layer_config": {str(number): {} for number in range(10**5)}},
        lambda: {"num_hidden_layers": 10**9},
        lambda: {"num_hidden_layers": LONG},
        lambda: {"num_hidden_layers": 10_000, "per_layer_config": {str(each): {"x": each} for each in range(10_000)}},
        lambda: {"hybrid_override_pattern": "M" * 10**5},
        lambda: {"rope_parameters": {f"layer {number}": {"rope_theta": number} for number in range(10**4)}},
        lambda: {"text_config": {"text_config": {"text_config": {"text_config": {"head_dim": 8}}}}},
        lambda: {"short_factor": [1.0] * 10**5, "rope_scaling": {"type": "longrope", "short_factor": [1.0] * 10**5,
                                                         "long_factor": [1.0] * 10**5}},
        lambda: {"_name_or_path": "x" * 10**5, "model_type": "y" * 10**5},
        lambda: {"num_hidden_layers": 10_000, "no_rope_layer_interval": 3, "sliding_window": 9},
    ],
)  # fmt: skip
def test_large_lists_take_little_memory_and_time(made: Callable[[], dict[str, Any]]) -> None:
    """Against the work of reading the largest model that is read."""
    config = made()
    sizes = {"hidden_size": 64, "num_attention_heads": 2, "max_position_embeddings": 99}
    reference = work_of(lambda: opened(lambda: read({**sizes, "rope_theta": 1e4, "num_hidden_layers": 10_000})))
    assert work_of(lambda: opened(lambda: read({**sizes, **config}))) < 30 * reference
    tracemalloc.start()
    try:
        opened(lambda: read({**sizes, **config}))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 60 * 2**20


ANYTHING = st.recursive(
    st.integers(0, len(every_value()) - 1).map(lambda number: every_value()[number]) | st.floats() | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=8,
)


@draws(10, 150)
@given(st.sampled_from(SEEDS), st.dictionaries(st.sampled_from(KEYS), ANYTHING, max_size=4))
def test_any_values_in_a_model_that_people_have(config: dict[str, Any], changed: dict[str, Any]) -> None:
    everything({**config, **changed})


def test_a_number_that_no_file_can_have_is_refused_before_a_session_has_it() -> None:
    with pytest.raises(ValueError, match=r"^this configuration contains a number that is out of range$"):
        open_model({"model_type": "llama", "head_dim": 64, "num_hidden_layers": 2, "dropout": LONG})


def test_a_factor_beyond_all_lengths_gives_no_target_length() -> None:
    scaling = {"rope_type": "dynamic", "factor": 1e308}
    config = {"model_type": "llama", "head_dim": 64, "num_hidden_layers": 2, "max_position_embeddings": 4096}
    model = open_model({**config, "rope_scaling": scaling})
    assert (model.trained_length, model.target_length) == (4096, None)


@pytest.mark.parametrize("config", [[], None, 4, b"{}", {1: 2}, {"model_type": ["llama"]}, {}])
def test_a_file_that_is_no_configuration_is_refused(config: Any) -> None:
    opened(lambda: read(config), (ValueError, TypeError))
