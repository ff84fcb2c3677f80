"""vLLM: one table of cosines and sines per scaling, made when the model is loaded.

Source: vllm/model_executor/layers/rotary_embedding, ``get_rope``, and the class of each model in model_executor/models.
Parameters come from transformers' configuration class (``patch_rope_parameters``).
"""

from functools import partial
from typing import Any

from msgspec.structs import replace

from posenc_core.engines.answers import rules
from posenc_core.engines.answers import transformers as shared
from posenc_core.engines.answers.rules import Parameters
from posenc_core.engines.facts import ClassFacts, facts_of, module_of, version_of
from posenc_core.engines.question import THETA, Question, RefusedError, UnknownError, class_of
from posenc_core.engines.results import READ, EngineResult, Source
from posenc_core.engines.windows import Window, window_by
from posenc_core.rope_scaling import NtkAware, RopeScaling, ServedNtk, magnitude

_GPT_OSS = ("factor", "original_max_position_embeddings", "beta_fast", "beta_slow")
"""The keys that gpt_oss.py passes on, with truncate, for every rope_type."""

_SCALED_ALREADY = ("longrope", "llama3", "yarn")
_SHARES = ("partial_rotary_factor", "rotary_pct", "rotary_emb_fraction")
"""Keys of the file that ``patch_rope_parameters`` copies into parameters without a share."""

_BASES = {"full_attention": (THETA,), "sliding_attention": ("swa_rope_theta", THETA)}
"""Keys of MiMo V2's base, else 1,000,000: its class reads no rope_parameters (models/mimo_v2.py)."""


_RENAMED = {"NewModel": "GteNewModel", "NewForSequenceClassification": "GteNewForSequenceClassification"}
"""Names of GTE's files and those of vLLM's registry, which an override of the file gives."""


_INNER = {"glm4v": "Glm4ForCausalLM", "glm_ocr": "Glm4ForCausalLM", "glm4v_moe": "Glm4MoeForCausalLM"}
"""The architecture of the text in classes that name it in their code: models/glm4_1v.py."""


def vllm(question: Question) -> EngineResult:
    """The encoding in vLLM; its setting is ``max_model_len``, by default the requested length."""
    if question.architecture in _RENAMED:
        name = _RENAMED[question.architecture]
        told = f'vLLM calls this architecture {name}: start it with --hf-overrides \'{{"architectures": ["{name}"]}}\''
        found = vllm(replace(question, architecture=name))
        return replace(found, notes=(told, *found.notes))
    if question.whole_type in _INNER:
        question = replace(question, architecture=_INNER[question.whole_type])
    if facts_of("vllm").architectures.get(question.architecture) == "transformers":
        registry = Source("vLLM", version_of("vllm"), "models/registry.py", "_TEXT_GENERATION_MODELS")
        return replace(shared.transformers(question), source=registry, mark=READ, notes=_notes(question))
    facts = class_of("vllm", question)
    rules.check_label("vLLM's class", question, facts.labels)
    base, given = _given(question)
    module = module_of("vllm", question.architecture, question.values.model_type)
    if module == "gpt_oss":
        kind, given = "yarn", {key: rules.needed(given, key) for key in _GPT_OSS} | _kept(given, "truncate")
    else:
        kind = shared.kind_of("vLLM", facts, given["rope_type"])
    latent = facts.latent and kind != "default"
    columns = _columns(question, facts, given)
    rotated_columns = question.rotation.n_columns if kind == "proportional" else columns
    own_window = "engine/arg_utils.py", "EngineArgs.create_engine_config"
    return rules.answered(
        "vLLM",
        question,
        rules.rotated(question, base, rotated_columns, _scaling(question, facts, given, kind)),
        rotated_columns,
        _window(question, facts),
        rules.place("vLLM", "deepseek" if latent else kind),
        of_window=own_window if facts.window in ("all", "layer") else (f"models/{module}.py", "Attention"),
        kind=kind,
        is_read=facts.share == "top",
        arithmetic="float32 frequencies times float32 positions, stored in the model's precision",
        ignored=(*shared.unread("vLLM", question.rope.parameters, kind, latent), *shared.dropped(kind, question)),
        notes=(*_notes(question), *rules.layout_notes(question, facts.layout)),
    )


def _given(question: Question) -> tuple[Any, Parameters]:
    """The base and the parameters that reach the class, which are flat ones too where transformers' class has none."""
    values, flat = question.values, shared.flat(question)
    given = {**question.rope.parameters, THETA: question.rope.rope_theta, "rope_type": question.rope.rope_type}
    if values.model_type == "mimo_v2_flash":
        given = {THETA: values.find(*_BASES.get(question.label, (THETA,))) or 1e6, "rope_type": "default"}
    elif flat:
        usual = 10000.0 if values.model_type == "gptj" else None
        given = {"rope_type": flat.get("type", "default"), THETA: values.find(THETA) or usual, **flat}
        if values.model_type == "gemma4_text" and question.label == "sliding_attention":
            given[THETA] = values.find("rope_local_base_freq") or 10000.0
    share = next((values.given[key] for key in _SHARES if values.has(key)), None)
    if share is not None and (question.label or flat):
        given.setdefault("partial_rotary_factor", share)
    return rules.needed(given, THETA), given


def _kept(given: Parameters, *keys: str) -> dict[str, Any]:
    return {key: given[key] for key in keys if key in given}


def _columns(question: Question, facts: ClassFacts, given: Parameters) -> int:
    share, head = given.get("partial_rotary_factor"), question.rotation.head_dim
    if (share is None and question.label) or facts.scaled == "own":  # no share is handed on
        return head
    if share is None or question.values.has("rotary_dim"):
        return question.rotation.n_columns
    if facts.share == "class":
        raise UnknownError("where vLLM's class reads the share of rotated columns was not read")
    if not 0 < share <= 1:
        raise RefusedError(f"ValueError: partial_rotary_factor={share} must be between 0.0 and 1.0")
    return int(head * share)


def _scaling(question: Question, facts: ClassFacts, given: Parameters, kind: str) -> RopeScaling | None:
    if facts.latent and kind != "default":
        return _latent(question, given, kind)
    if kind == "linear":
        return shared.linear(rules.needed(given, "factor"))
    if kind == "dynamic" and "alpha" not in given:
        factor, longest = rules.needed(given, "factor"), question.longest
        return NtkAware(factor * longest / given.get("max_trained_positions", longest) - (factor - 1))
    if kind == "yarn":
        return _yarn(question, given)
    if kind == "ntk":
        return ServedNtk(rules.needed(given, "factor"), given.get("mixed_b"))
    length = rules.length_of(question, "max_model_len")
    return shared.scaling(question, facts, given, kind, partial(_original, question, given), length)


def _latent(question: Question, given: Parameters, kind: str) -> RopeScaling:
    """DeepSeek's YaRN, which its class uses for every rope_type; attention_factor 1 leaves the softmax unchanged."""
    filled = kind in _SCALED_ALREADY
    original = _original(question, given) if filled else rules.needed(given, "original_max_position_embeddings")
    factor = rules.needed(given, "factor")
    return shared.deepseek(given, factor, original, scales_softmax=given.get("attention_factor") != 1)


def _yarn(question: Question, given: Parameters) -> RopeScaling:
    factor, original = rules.needed(given, "factor"), _original(question, given)
    mscale, all_dim = given.get("mscale"), given.get("mscale_all_dim")
    if given.get("attention_factor") is not None:
        amplitude = float(given["attention_factor"])
    else:
        amplitude = rules.ratio(factor, mscale, all_dim) if mscale and all_dim else magnitude(factor)
    return rules.yarn(given, factor, original, amplitude, truncate=given.get("truncate", True) is not False)


def _original(question: Question, given: Parameters) -> int:
    """original_max_position_embeddings, which transformers' configuration class fills in; that beside counts first."""
    found = None if question.label else question.values.find("original_max_position_embeddings")
    found = given.get("original_max_position_embeddings") if found is None else found
    found = question.longest if found is None else found
    if type(found) is not int:
        raise RefusedError("KeyError: 'original_max_position_embeddings'")
    return found


def _window(question: Question, facts: ClassFacts) -> Window:
    """The window; in a class without a rule of its own for each layer, the one of the file is for all layers.

    There is none if the types of layers differ (``create_engine_config`` in engine/arg_utils.py, ``Attention``).
    """
    values, own = question.values, question.window
    if values.model_type == "mimo_v2_flash":
        key = values.find("sliding_window_size")
        return Window(key if type(key) is int and own is not None else own)
    if facts.window not in ("all", "layer") or "layer_types" in values.unread:
        return window_by(facts.window, question)
    if question.all_windowed or (facts.window == "layer" and own is not None):
        return Window(own)
    given, is_off = values.given.get("sliding_window"), values.facts.gated and not values.find("use_sliding_window")
    listed = values.has("layer_types") or values.facts.layer_types or values.facts.window_layers
    typed = own is not None or listed or is_off
    return Window(given if type(given) is int and given and not typed else None)


def _notes(question: Question) -> tuple[str, ...]:
    """The notes on lengths that vLLM refuses: of the text above max_model_len, and of that above the file's own.

    Its checks are ``InputProcessor._validate_model_input`` and ``_get_and_verify_max_len`` in config/model.py.
    """
    longest, factor = question.longest, question.rope.parameters.get("factor")
    asked, found = rules.length_of(question, "max_model_len"), list[str]()
    if question.length > asked:
        found.append(f"vLLM refuses a text of {question.length:,} tokens above max_model_len {asked:,}")
    if type(longest) is int and "gemma3" not in question.values.model_type:
        scaled = question.rope.rope_type not in _SCALED_ALREADY and isinstance(factor, int | float)
        derived = int(longest * factor) if scaled and factor else longest
        if asked > derived:
            told = f"vLLM refuses max_model_len {asked:,} above the {derived:,} that it derives from the file"
            found.append(f"{told}, unless VLLM_ALLOW_LONG_MAX_MODEL_LEN is set")
    return tuple(found)
