"""Sessions and models' configurations that were damaged or made up: each opens, or is refused in one plain sentence."""

import json
import resource
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from amounts import draws
from families import DEFAULTS
from hostile import TOKENS, every_value, mutated_bytes, mutated_json, opened
from hypothesis import given
from hypothesis import strategies as st
from snippet_cases import numpy_source

from posenc_core import Document, Encoding, rope_from_config
from posenc_core.model_config import ModelConfig
from posenc_core.rope_scaling import SCALINGS

EACH = 1250
MEGABYTE = 2**20

MODELS: list[dict[str, Any]] = [
    {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "rope_theta": 5e5,
     "max_position_embeddings": 99, "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                      "high_freq_factor": 4.0, "original_max_position_embeddings": 64}},
    {"model_type": "deepseek_v3", "qk_rope_head_dim": 8, "rope_theta": 10000, "max_position_embeddings": 4096,
     "rope_scaling": {"type": "yarn", "factor": 40, "original_max_position_embeddings": 128, "beta_fast": 32,
                      "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0}},
    {"model_type": "phi3", "head_dim": 8, "rope_theta": 1e4, "original_max_position_embeddings": 64,
     "max_position_embeddings": 256, "partial_rotary_factor": 0.5,
     "rope_scaling": {"type": "longrope", "short_factor": [1.0, 1.1], "long_factor": [2.0, 3.0]}},
    {"model_type": "gemma3", "head_dim": 8, "rope_theta": 1e6, "rope_local_base_freq": 1e4,
     "rope_scaling": {"rope_type": "linear", "factor": 8.0}},
    {"model_type": "qwen2_vl", "head_dim": 8, "rope_scaling": {"type": "mrope", "mrope_section": [1, 1, 2]}},
    {"rope_parameters": {"full_attention": {"rope_type": "proportional", "rope_theta": 9e5,
                                            "partial_rotary_factor": 0.25},
                         "sliding_attention": {"rope_type": "dynamic", "rope_theta": 1e4, "factor": 2.0}},
     "head_dim": 16, "max_position_embeddings": 100},
    {"text_config": {"model_type": "llama", "head_dim": 4, "rope_theta": 10.0}, "model_type": "llava"},
    {"model_type": "gptj", "rotary_dim": 4, "n_embd": 16, "n_head": 2, "rotary": True},
    {"model_type": "marian", "d_model": 16, "max_position_embeddings": 12},
    {"model_type": "m2m_100", "d_model": 16, "pad_token_id": 1, "max_position_embeddings": 12},
    {"model_type": "t5", "relative_attention_num_buckets": 32, "relative_attention_max_distance": 128, "num_heads": 8},
    {"model_type": "bloom", "n_head": 6},
    {"model_type": "mpt", "n_heads": 6, "attn_config": {"alibi": True, "alibi_bias_max": 8}},
    {"model_type": "falcon", "num_attention_heads": 4, "hidden_size": 32, "alibi": False},
    {"model_type": "transfo-xl", "d_model": 16, "clamp_len": 40},
    {"model_type": "bert", "hidden_size": 16},
]  # fmt: skip


def sessions() -> list[dict[str, Any]]:
    """A session of every family and of every scaling."""
    made = [replace(each, sentence="Ann sees 😀", seq_len=9) for each in DEFAULTS.values()]
    rotary = DEFAULTS["rotary"].edited("head_dim", 8)
    return [each.to_dict() for each in (*made, *(rotary.edited("scaling", name) for name in SCALINGS))]


def use(document: Document) -> None:
    """Compute all values that the window requests for a document, and check them against the document's bounds."""
    encoding: Encoding = document.encoding
    assert encoding.n_columns > 0
    assert all(sentence.isprintable() for sentence in (*encoding.warnings, encoding.label))
    first = int(max(0, encoding.domain[0]))
    if first <= encoding.domain[1] and encoding.n_columns <= 4096:
        entries = encoding.values(np.array([first]), np.arange(min(4, encoding.n_columns)))
        assert np.isfinite(entries).all()
        compile(numpy_source(encoding, [first]), "script", "exec")
    assert Document.from_json(document.to_json(), document.tables) == document


@pytest.fixture
def bounded() -> Any:
    """Fails where the process has become much larger."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 300 * 1024, f"{grown // 1024} MB more"


def try_all(files: Any, read: Callable[[Any], Any], *refusals: type[Exception]) -> tuple[int, int]:
    """How many were opened and used, and how many refused."""
    found = [opened(lambda each=each: read(each), refusals or (ValueError,)) is not None for each in files]
    return sum(found), len(found) - sum(found)


def read_session(data: bytes) -> Document:
    document = Document.from_json(data)
    use(document)
    return document


def read_config(data: bytes) -> Document:
    config = ModelConfig.parse(data)
    document = config.shown_in(Document(sentence="kept"))
    use(document)
    assert isinstance(config.layer_types, tuple)
    assert document.sentence == "kept"
    return document


def test_damaged_sessions(bounded: None, count: Any) -> None:
    seeds = [json.dumps(each).encode() for each in sessions()]
    good, bad = try_all(mutated_bytes(seeds, EACH, 1), read_session)
    assert min(good, bad) > 100
    count("hostile sessions tried", good + bad)


def test_made_up_sessions(bounded: None, count: Any) -> None:
    files = (json.dumps(each).encode() for each in mutated_json(sessions(), EACH, 2))
    good, bad = try_all(files, read_session)
    assert min(good, bad) > 100
    count("hostile sessions tried", good + bad)


def test_damaged_configs(bounded: None, count: Any) -> None:
    seeds = [json.dumps(each).encode() for each in MODELS]
    good, bad = try_all(mutated_bytes(seeds, EACH, 3), read_config)
    assert min(good, bad) > 100
    count("hostile model configs tried", good + bad)


@pytest.mark.thorough
def test_made_up_configs(bounded: None, count: Any) -> None:
    files = (json.dumps(each).encode() for each in mutated_json(MODELS, EACH, 4))
    good, bad = try_all(files, read_config)
    assert min(good, bad) > 100
    count("hostile model configs tried", good + bad)


@pytest.mark.thorough
def test_made_up_mappings_for_a_rotation(bounded: None, count: Any) -> None:
    def read(config: Any) -> Encoding:
        encoding = rope_from_config(config, seq_len=100)
        use(Document(encoding=encoding, seq_len=100))
        return encoding

    good, bad = try_all(mutated_json(MODELS, 2 * EACH, 5), read, ValueError, TypeError)
    assert min(good, bad) > 100
    count("hostile mappings tried for a rotation", good + bad)


ANYTHING = st.recursive(
    st.integers(0, len(every_value()) - 1).map(lambda number: every_value()[number])
    | st.floats()
    | st.integers()
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(sorted({name for model in MODELS for name in model})), inner, max_size=4)
    ),
    max_leaves=8,
)


@draws(10, 150)
@given(ANYTHING)
def test_any_value_as_a_config_or_a_session(value: Any) -> None:
    data = json.dumps(value).encode()
    opened(lambda: read_config(data))
    opened(lambda: read_session(data))
    opened(lambda: rope_from_config(value), (ValueError, TypeError))


@pytest.mark.one_of(2)
@pytest.mark.parametrize("read", [Document.from_json, lambda data: ModelConfig.parse(data).shown_in(Document())])
def test_bombs_take_no_memory(read: Callable[[bytes], Any]) -> None:
    """Beyond what the file itself has, some times over."""
    bombs = [
        *TOKENS,
        b"[" * 300_000,
        b'{"a":' * 100_000,
        b'{"format":"posenc session","version":2,"later":' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        b'{"format":"posenc session","version":2,"seq_len":' + b"9" * MEGABYTE + b"}",
        b'{"format":"posenc session","version":' + b"9" * MEGABYTE + b"}",
        b'{"format":"posenc session","version":2,"sentence":"' + b"\\u0041" * 300_000 + b'"}',
        b'{"format":"posenc session","version":2,' + b'"sentence":"a",' * 100_000 + b'"seq_len":5}',
        b'{"model_type":"llama","head_dim":' + b"9" * MEGABYTE + b"}",
        b'{"model_type":"' + b"x" * MEGABYTE + b'"}',
        b'{"rope_theta":1e4,"head_dim":8,"rope_scaling":{"type":"longrope","short_factor":['
        + b"1," * 100_000
        + b"1]}}",
        b'{"model_type":"llama","head_dim":65536,"rope_theta":1e-300}',
    ]
    for bomb in bombs:
        tracemalloc.start()
        try:
            opened(lambda bomb=bomb: read(bomb))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 40 * MEGABYTE + 20 * len(bomb), (bomb[:60], peak)


def test_no_session_makes_the_program_open_a_file() -> None:
    """Paths in a session have no effect: only the user opens files."""
    for path in ("/etc/passwd", "../../etc/passwd", "/dev/zero", "\\\\server\\share\\x.npy", "file:///etc/passwd"):
        for part in (
            {"weights": path},
            {"weights": "file", "table_name": path, "table_digest": path},
            {"source": path},
        ):
            data = json.dumps({"format": "posenc session", "version": 2, "encoding": {"family": "learned", **part}})
            document = opened(lambda data=data: Document.from_json(data))
            assert document is None or document.encoding.label.startswith("trained here")


def test_turns_that_no_pair_makes_and_layers_with_hostile_names_are_told() -> None:
    """Found by the searches above."""
    yarn = {**MODELS[1]["rope_scaling"], "beta_slow": 1e-320}
    with pytest.raises(
        ValueError, match=r"^beta_slow and beta_fast must be numbers of turns that a pair can make, got 9"
    ):
        ModelConfig.parse(json.dumps({**MODELS[1], "rope_scaling": yarn})).shown_in(Document())
    layers = {f"{number}\n\u202e{'x' * 99}": {"rope_type": "default", "rope_theta": 1e4} for number in range(50)}
    config = {"rope_parameters": layers, "head_dim": 8}
    encoding = rope_from_config(config)
    assert all(warning.isprintable() and len(warning) < 300 for warning in encoding.warnings)
    assert "and 47 more" in encoding.warnings[0]
    with pytest.raises(ValueError, match=r"^layer_type must be .* and 47 more, got 'x'$") as caught:
        rope_from_config(config, layer_type="x")
    assert str(caught.value).isprintable()
