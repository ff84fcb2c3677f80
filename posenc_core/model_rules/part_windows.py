"""Windows within which layers of pictures, of sound and of some encoders attend, in words: which layers, what size.

Sources: ``modeling_<model_type>.py`` of transformers 5.23.0, whose layers were run, and what a query sees compared.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from posenc_core.fields import shortened
from posenc_core.model_rules.facts import Values
from posenc_core.model_rules.layer_lists import integer
from posenc_core.model_rules.sparse_windows import block_sparse, neighbourhood, speech_chunks, streamed_chunks

_WHOLE = "the whole picture"

_LARGEST = 2**53
"""The largest size of a window that is read."""

_BY_LISTED = {
    **dict.fromkeys(
        (
            "deepseek_ocr2_sam_vision_model", "got_ocr2_vision", "pp_chart2table_vision", "pp_formulanet_vision",
            "sam3_vit_model", "sam_hq_vision_model", "sam_vision_model", "slanext_vision",
            "unlimited_ocr_sam_vision_model",
        ),
        "global_attn_indexes",
    ),
    **dict.fromkeys(("exaone4_5_vision", "qwen2_5_omni_vision_encoder", "qwen2_5_vl_vision"), "fullatt_block_indexes"),
}  # fmt: skip
"""The key of the layers that attend to the whole picture, by model type; the others attend within windows."""

_OF_MERGED = {"spatial_merge_size": 2, "patch_size": 14}
"""Defaults of the keys that divide a window in pixels into merged patches: the classes of Qwen2.5-VL and its kin."""

_LONGT5 = {"local_radius": 127, "global_block_size": 16}
"""Defaults of the keys of LongT5's windows: transformers 5.23.0, ``LongT5Config``."""

_SHIFTED = ("clap_audio_model", "donut-swin", "maskformer-swin", "swin", "swin2sr", "swinv2")
"""Swin and its kin: every second layer of a stage shifts the windows by half of their size."""

_IN_BLOCKS = ("granite_speech5_encoder", "granite_speech_encoder", "granite_speech_plus_encoder")
_OF_SPECTROGRAM = ("qwen3_asr_encoder", "qwen3_omni_moe_audio_encoder")


def windows_told(values: Values, n_layers: int) -> str:
    """The sentence on the windows of a part's layers; empty if all attend to everything, or the file leaves it open.

    ValueError with one sentence for a size that is no whole number.
    """
    keys, tell = next((rule for names, rule in _RULES.items() if values.model_type in names), ((), None))
    if tell is None or any(values.find(key) is None for key in keys):
        return ""
    return tell(values, n_layers)


def _listed(values: Values, n_layers: int) -> str:
    """The sentence for a key that lists the layers without windows."""
    key = _BY_LISTED[values.model_type]
    size = integer(values, "window_size", 0)
    if key == "fullatt_block_indexes":
        pixels, (merged, patch) = size, (_or_default(values, name) for name in _OF_MERGED)
        size = size // merged // patch * merged
        told = f"window_size {pixels:,}, in pixels"
    else:
        told = "window_size"
    if size < 1:
        return ""
    whole = _layers_of(values, key, n_layers)
    return _divided(whole, n_layers, key, f"windows of {size} x {size} patches ({told})")


def _or_default(values: Values, key: str) -> int:
    """The value of a key that divides a window; that of the class if the file has none."""
    return integer(values, key) if values.has(key) else _OF_MERGED[key]


def _layers_of(values: Values, key: str, n_layers: int) -> tuple[int, ...]:
    """The listed layers in their order, without those behind the last; ValueError for anything but a list of them."""
    given = values.find(key)
    if not _are_integers(given):
        raise ValueError(f"{key} must list layers by their numbers, got {shortened(given)}")
    return tuple(sorted({each for each in given if 0 <= each < n_layers}))


def _divided(whole: Sequence[int], n_layers: int, key: str, windows: str) -> str:
    """The sentence for layers that attend to the whole picture, and the others, which attend within windows."""
    if not whole:
        return f"each layer attends within {windows}; {key} names none that attends to {_WHOLE}"
    if len(whole) == n_layers:
        return f"each layer attends to {_WHOLE} ({key})"
    return f"{_named(whole)} to {_WHOLE} ({key}), the others within {windows}"


def _named(layers: Sequence[int]) -> str:
    """``layers 0-3, 7 and 9 attend``, the numbers increasing."""
    breaks = [place for place, (one, other) in enumerate(pairwise(layers), start=1) if other != one + 1]
    runs = [(layers[start], layers[stop - 1]) for start, stop in pairwise((0, *breaks, len(layers)))]
    words = [f"{first}" if first == last else f"{first}-{last}" for first, last in runs]
    listed = " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
    return f"layer {listed} attends" if len(layers) == 1 else f"layers {listed} attend"


def _shifted(values: Values, n_layers: int) -> str:
    """The sentence for Swin's windows."""
    size = integer(values, "window_size")
    shift = f"; every second layer of a stage shifts them by {size // 2}" if size > 1 and n_layers > 1 else ""
    return (
        f"each layer attends within windows of {size} x {size} patches (window_size), or of the whole map if it is "
        f"smaller{shift}"
    )


def _of_stages(values: Values, n_layers: int) -> str:
    """The sentence for SAM 2's stages, the first layer of each of which has the window of the stage before."""
    sizes, stages = values.find("window_size_per_stage"), values.find("blocks_per_stage")
    if not _are_integers(sizes, 1) or len(sizes) != len(stages):
        told = f"a number of patches for each of the {len(stages)} stages"
        raise ValueError(f"window_size_per_stage must list {told}, got {shortened(sizes)}")
    sides = ", ".join(f"{each}" for each in sizes)
    windows = f"square windows with a side of {sides} patches by their stage (window_size_per_stage)"
    key = "global_attention_blocks"
    return _divided(_layers_of(values, key, n_layers), n_layers, key, windows)


def _in_units(values: Values, n_layers: int) -> str:
    """The sentence for Hiera: a layer that pools the queries has the units of the stage before."""
    depths, flags, unit = (values.find(key) for key in ("depths", "masked_unit_attention", "masked_unit_size"))
    if not isinstance(flags, list | tuple) or [type(each) for each in flags] != [bool] * len(depths):
        raise ValueError(f"masked_unit_attention must have an entry for each stage, got {shortened(flags)}")
    if not _are_integers(unit, 1) or len(unit) != 2:
        raise ValueError(f"masked_unit_size must list two numbers of patches, got {shortened(unit)}")
    before = [flags[0], *flags[:-1]]
    within = [
        flags[stage] or (before[stage] and place == 0) for stage, depth in enumerate(depths) for place in range(depth)
    ]
    whole = [index for index, each in enumerate(within) if not each]
    size = " x ".join(f"{each}" for each in unit)
    units = f"units of the picture, {size} patches before the first pooling (masked_unit_size)"
    return _divided(whole, n_layers, "masked_unit_attention", units)


def _by_blocks(values: Values, n_layers: int) -> str:
    """The sentence for a key that lists the layers with windows: ViTDet by their size, LW-DETR by their number."""
    key, is_counted = "window_block_indices", values.model_type == "lw_detr_vit"
    size, inside = (0 if is_counted else integer(values, "window_size", 0)), _layers_of(values, key, n_layers)
    if not inside or (not is_counted and not size):
        return ""
    side = math.isqrt(integer(values, "num_windows")) if is_counted else size
    windows = f"one of {side} x {side} windows (num_windows)" if is_counted else f"windows of {size} x {size} patches"
    if len(inside) == n_layers:
        return f"each layer attends within {windows}"
    return f"{_named(inside)} within {windows} ({key}), the others to {_WHOLE}"


def _by_stages(values: Values, n_layers: int) -> str:
    """The sentence for RF-DETR, whose layers that are put out attend to the whole picture, and all behind the last."""
    side, (key, listed) = integer(values, "num_windows"), _put_out(values, n_layers)
    inside = set(range(listed[-1] + 1)) - set(listed)
    whole = [index for index in range(n_layers) if index not in inside]
    return "" if side == 1 else _divided(whole, n_layers, key, f"one of {side} x {side} windows (num_windows)")


def _put_out(values: Values, n_layers: int) -> tuple[str, Sequence[int]]:
    """The key of the stages that RF-DETR's backbone puts out, and their numbers, which its class takes for layers'.

    Without keys it is the last stage, which is no layer's number. ValueError for anything but a list of stages.
    """
    key = "out_indices" if values.find("out_indices") is not None else "out_features"
    names = {f"stage{index}" if index else "stem": index for index in range(n_layers + 1)}
    given = values.find(key)
    if given is None:
        return "out_indices", [n_layers]
    listed = given if isinstance(given, list | tuple) else ()
    if key == "out_features":
        listed = [names.get(each, n_layers + 1) if isinstance(each, str) else n_layers + 1 for each in listed]
    places = [each + (n_layers + 1) * (each < 0) for each in listed if type(each) is int and abs(each) <= n_layers]
    if not places or len(places) < len(listed) or places != sorted(set(places)):
        raise ValueError(f"{key} must list stages of the {n_layers} layers in their order, got {shortened(given)}")
    return key, listed


def _are_integers(given: Any, minimum: int | None = None) -> bool:
    """Whether it is a list of whole numbers, none below the minimum or beyond all sizes."""
    return isinstance(given, list | tuple) and all(
        type(each) is int and (minimum is None or minimum <= each <= _LARGEST) for each in given
    )


def _of_florence(values: Values, n_layers: int) -> str:
    """The sentence for Florence 2, each layer of which has an attention of patches and one of channels."""
    size = integer(values, "window_size")
    return f"each layer attends within windows of {size} x {size} patches (window_size), then among channels"


def _of_frames(values: Values, n_layers: int) -> str:
    """The sentence for Qwen2.5-Omni's chunks."""
    half = integer(values, "n_window")
    return f"each layer attends within chunks of {2 * half:,} frames of the spectrogram (2 x n_window)"


def _inferred(values: Values, n_layers: int) -> str:
    """The sentence for the windows of whole chunks of Qwen3's encoders."""
    half, longest = integer(values, "n_window"), integer(values, "n_window_infer")
    frames = longest // (2 * half) * 2 * half
    told = f"windows of {frames:,} frames of the spectrogram (n_window_infer {longest:,})"
    return f"each layer attends within {told}, whose positions begin anew every {2 * half:,} (2 x n_window)"


def _around(values: Values, n_layers: int) -> str:
    """The sentence for Gemma's encoders of sound; that of Gemma 4 sees one frame fewer on each side."""
    is_older = values.model_type == "gemma3n_audio"
    left, right = (("conf_" * is_older) + f"attention_context_{side}" for side in ("left", "right"))
    back = max(integer(values, left, 0) - (1 if is_older else 2), 0)
    ahead = max(integer(values, right, 0) - (0 if is_older else 1), 0)
    return f"each layer attends to {back:,} frames before a frame ({left}) and {ahead:,} after it ({right})"


def _in_blocks(values: Values, n_layers: int) -> str:
    """The sentence for Granite's blocks."""
    return f"each layer attends within blocks of {integer(values, 'context_size'):,} frames (context_size)"


def _streamed(values: Values, n_layers: int) -> str:
    """The sentence for Nemotron's chunks of a stream."""
    chunk = integer(values, "default_num_lookahead_tokens", 0) + 1
    earlier = (integer(values, "sliding_window") - 1) // chunk
    return (
        f"each layer attends within chunks of {chunk:,} frames (default_num_lookahead_tokens + 1), and to the "
        f"{earlier:,} chunks before them (sliding_window)"
    )


def _of_led(values: Values, n_layers: int) -> str:
    """The sentence for LED's encoder, whose windows are one number or one for each layer."""
    given = values.find("attention_window")
    sizes = given if isinstance(given, list | tuple) else [integer(values, "attention_window")] * n_layers
    if not _are_integers(sizes, 1) or len(sizes) != n_layers or any(each % 2 for each in sizes):
        told = f"an even number of tokens, or list one for each of the {n_layers} layers"
        raise ValueError(f"attention_window must be {told}, got {shortened(given)}")
    halves = sorted({each // 2 for each in sizes})
    sides = f"{halves[0]:,}" if len(halves) == 1 else f"{halves[0]:,} to {halves[-1]:,}"
    return f"the encoder's layers attend to {sides} tokens on each side (attention_window, half on each side)"


def _of_longt5(values: Values, n_layers: int) -> str:
    """The sentence for LongT5's encoder, whose layers may also see sums of blocks of all tokens."""
    radius, block = (integer(values.at({key: values.given.get(key, own)}), key) for key, own in _LONGT5.items())
    told = f"the encoder's layers attend to {radius:,} tokens on each side (local_radius)"
    is_global = values.given.get("encoder_attention_type") == "transient-global"
    return f"{told}, and to one entry per {block:,} tokens of the whole text (global_block_size)" if is_global else told


def _of_dit(values: Values, n_layers: int) -> str:
    """The sentence for the blocks of Qwen2.5-Omni's generator of sound."""
    block = integer(values.at({"block_size": values.given.get("block_size", 24)}), "block_size")
    sides = []
    for key, own, side in (("look_backward_layers", [0, 20], "before"), ("look_ahead_layers", [10], "after")):
        layers = _layers_of(values.at({key: values.given.get(key, own)}), key, n_layers)
        sides += [f"; {_named(layers)} to the block {side} it too ({key})"] if layers else []
    return f"each layer attends within blocks of {block:,} frames (block_size){''.join(sides)}"


_LISTED = tuple(_BY_LISTED)

_RULES: dict[tuple[str, ...], tuple[tuple[str, ...], Callable[[Values, int], str]]] = {
    _LISTED: (("window_size",), _listed),
    _SHIFTED: (("window_size",), _shifted),
    ("sam2_hiera_det_model",): (("window_size_per_stage",), _of_stages),
    ("hiera",): (("masked_unit_attention",), _in_units),
    ("lw_detr_vit",): (("num_windows", "window_block_indices"), _by_blocks),
    ("vitdet",): (("window_size", "window_block_indices"), _by_blocks),
    ("rf_detr_dinov2",): (("num_windows",), _by_stages),
    ("florence_vision",): (("window_size",), _of_florence),
    ("qwen2_5_omni_audio_encoder",): (("n_window",), _of_frames),
    _OF_SPECTROGRAM: (("n_window", "n_window_infer"), _inferred),
    ("gemma3n_audio",): (("conf_attention_context_left", "conf_attention_context_right"), _around),
    ("gemma4_audio",): (("attention_context_left", "attention_context_right"), _around),
    _IN_BLOCKS: (("context_size",), _in_blocks),
    ("led",): (("attention_window",), _of_led),
    ("longt5",): ((), _of_longt5),
    ("big_bird", "bigbird_pegasus"): ((), block_sparse),
    ("dinat",): ((), neighbourhood),
    ("phi4_multimodal_audio",): ((), streamed_chunks),
    ("seamless_m4t_v2",): ((), speech_chunks),
    ("qwen2_5_omni_dit",): ((), _of_dit),
    ("nemotron_asr_streaming_encoder",): (("sliding_window", "default_num_lookahead_tokens"), _streamed),
}
"""The keys that a sentence needs and the function that makes the sentence, by model types."""
