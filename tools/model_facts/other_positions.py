"""Positions of models without rotation along one axis, in words and numbers, read in ``modeling_<model_type>.py``."""

from typing import Any

_SINUSOIDS, _LEARNED, _ALIBI = "fixed sinusoids", "a learned table of positions", "ALiBi biases"
_BUCKETS = "biases by buckets of distance"
_FROZEN = "a frozen table of positions, which begins as sinusoids"
_CONFORMER = "sinusoids of relative positions, as in Transformer-XL"
_TWO_AXES = "sinusoids over two axes, height and width"
_OFFSETS = "learned biases by the offset along two axes, height and width"
_CONTINUOUS = "biases that a small network makes of the offset along two axes, height and width"
_FOURIER = "sines of random projections of height and width"
_SHAW = "learned vectors for relative positions, as Shaw's"
_ROWS = "learned tables of rows and of columns"
_CONVOLVED = "a convolution over neighbours (num_conv_pos_embeddings), added before the first layer"
_NOTHING = "convolutions, which have no positions"
_MIXED = "convolutions and attention without positions"
_DISENTANGLED = "learned vectors for distances, which its scores weigh twice"
_PAGE = "learned tables of the page's coordinates"
_TABLES_OF_PAGE = "learned tables of positions and of the page's coordinates"
_NO_POSITIONS = "no positions"
_STANDARD = "sinusoids over the patches of a series, shifted and scaled (positional_encoding_type)"
_RANDOM = "a learned table of the patches of a series (positional_encoding_type)"
_BY_DISTANCE = "biases by distance"
_OFFSET_VECTORS = "learned vectors for the offset along each axis"
_SAM = f"a learned table of two axes, and {_OFFSET_VECTORS}"
_TIMM = "the positions of a model of the package timm"


def _all(names: str, positions: str, uses: str, **numbers: Any) -> dict[str, dict[str, Any]]:
    """The same facts for all the names."""
    return {name: {"positions": positions, "told": {"uses": uses, **numbers}} for name in names.split()}


def _sinusoids(names: str, spacing: str = "paper", uses: str = _SINUSOIDS, **numbers: Any) -> dict[str, dict[str, Any]]:
    """Models with a table that ``Sinusoidal`` has; offset null is ``pad_token_id + 1``."""
    spaced = {} if spacing == "paper" else {"spacing": spacing}
    return _all(names, "sinusoidal", uses, shown="sinusoids", **spaced, **numbers)


def _other(names: str, uses: str, **numbers: Any) -> dict[str, dict[str, Any]]:
    return _all(names, "other", uses, **numbers)


_T2T = "tensor2tensor"
_PADDED = {"offset": None}

TOLD: dict[str, dict[str, Any]] = {
    **_all("bloom", "bias", _ALIBI, shown="slopes", heads=["n_head", "num_attention_heads"]),
    **_all("mpt", "bias", _ALIBI, shown="slopes", heads=["n_heads"]),
    **_all("t5 mt5 umt5 longt5 switch_transformers pop2piano", "bias", _BUCKETS, shown="buckets", heads=["num_heads"]),
    **_all("pix2struct_text_model", "bias", _BUCKETS, shown="buckets", heads=["num_heads"], one_sided=True),
    **_all("mpnet", "bias", f"{_BUCKETS}, and {_LEARNED}, added before the first layer", shown="buckets",
           heads=["num_attention_heads"]),
    **_sinusoids("marian pegasus autoformer informer time_series_transformer"),
    **_sinusoids("videoprism_text_model", width="hidden_size"),
    **_sinusoids("ctrl", width="n_embd", length="n_positions"),
    **_sinusoids("videomae", layout="interleaved", width="hidden_size", length=""),
    **_sinusoids("m2m_100 fsmt nllb-moe", _T2T, **_PADDED),
    **_sinusoids("kosmos_2_text_model kosmos_2_5_text_model", _T2T, **_PADDED, width="embed_dim"),
    **_sinusoids("xglm", _T2T, offset=2),
    **_sinusoids("pegasus_x", _T2T),
    **_sinusoids("tipsv2_text_model", _T2T, width="hidden_size"),
    **_sinusoids("speech_to_text", _T2T, **_PADDED, length="max_source_positions"),
    **_sinusoids("whisper", _T2T, uses=f"{_SINUSOIDS} in its encoder, and a learned table in its decoder",
                 length="max_source_positions"),
    **_sinusoids("qwen2_5_omni_audio_encoder qwen3_asr_encoder qwen3_omni_moe_audio_encoder", _T2T,
                 length="max_source_positions"),
    **_all("bert roberta xlm-roberta camembert distilbert albert electra", "learned", _LEARNED,
           tensor="position_embeddings.weight"),
    **_all("gpt2 gpt_bigcode", "learned", _LEARNED, tensor="wpe.weight"),
    **_all("bart mbart opt biogpt blenderbot", "learned", _LEARNED, tensor="embed_positions.weight"),
    **_all("voxtral_encoder qwen2_audio_encoder audioflamingo3_encoder moss_transcribe_diarize_audio", "learned",
           _FROZEN, tensor="embed_positions.weight"),
    **_all("xlm", "learned", _LEARNED),
    **_all("openai-gpt", "learned", _LEARNED, tensor="positions_embed.weight"),
    **_all("musicgen_decoder musicgen_melody_decoder", "sinusoidal", "fixed sinusoids, the cosines first"),
    **_all("canary_decoder", "sinusoidal", "fixed sinusoids, divided by the root of their width"),
    **_all("fun_asr_nano_encoder", "sinusoidal", "fixed sinusoids, as wide as the filters of its input"),
    **_other("timesfm", _NO_POSITIONS, shown="nothing"),
    **_all("seamless_m4t seamless_m4t_v2", "sinusoidal",
           "fixed sinusoids in its text, and relative positions in its speech encoder"),
    "cohere_asr": {
        "positions": "learned", "reads": "",
        "told": {"uses": f"{_CONFORMER}, in its encoder, and a learned table in its decoder",
                 "tensor": "pos_emb.weight"},
    },
    **_other("parakeet_encoder nemotron_asr_streaming_encoder fastspeech2_conformer gemma3n_audio gemma4_audio funnel "
             "xlnet", _CONFORMER),
    **_other("granite_speech_encoder granite_speech_plus_encoder granite_speech5_encoder vits", _SHAW),
    **_other("speecht5", f"{_SHAW}, in its encoder; text and speech have fixed sinusoids, and speech a convolution "
             "over neighbours as well"),
    **_other("wav2vec2 hubert sew unispeech unispeech-sat data2vec-audio", _CONVOLVED),
    **_other("wavlm", f"{_CONVOLVED}, and {_BUCKETS}, which the queries gate"),
    **_other("sew-d", f"{_CONVOLVED}, and {_DISENTANGLED}"),
    **_all("deberta deberta-v2", "learned", _LEARNED, tensor="position_embeddings.weight"),
    **_other("inkling_text inkling2_text", "learned biases by distance, which the query chooses"),
    **_other("lightglue", "a rotation by learned projections of height and width"),
    **_other("superglue", "a network of each point's height and width"),
    **_other("reformer", "a learned table of two axes, rows and columns of a text"),
    **_other("patchtst", _STANDARD),
    **_other("patchtsmixer beit data2vec-vision", _NO_POSITIONS, shown="nothing"),
    **_other("perceiver", "Fourier features or a learned table, which the preprocessor of its input has"),
    **_other("timm_wrapper", f"{_TIMM} (architecture)"),
    **_other("timm_backbone", f"{_TIMM} (backbone)"),
    **_other("clap_audio_model donut-swin maskformer-swin swin levit dinat", _OFFSETS),
    **_other("swinv2 swin2sr", _CONTINUOUS),
    **_other("sam_vision_model sam_hq_vision_model slanext slanext_vision deepseek_ocr2_sam_vision_model "
             "got_ocr2_vision pp_formulanet_vision seggpt unlimited_ocr_sam_vision_model", _SAM),
    **_other("conditional_detr d_fine dab-detr deformable_detr deimv2 detr mask2former maskformer oneformer "
             "pp_doclayout_v2 pp_doclayout_v3 pp_doclayout_v4 rt_detr rt_detr_v2 table-transformer sam3_detr_encoder "
             "sam3_detr_decoder sam3_geometry_encoder sam3_lite_text_detr_encoder sam3_lite_text_detr_decoder "
             "sam3_lite_text_geometry_encoder", _TWO_AXES, counted=False),
    **{f"{name}_{part}": _other("it", _FOURIER)["it"]
       for name in ("sam", "sam_hq", "sam2", "sam2_video", "sam3_tracker", "sam3_tracker_video", "edgetam",
                    "edgetam_video")
       for part in ("prompt_encoder", "mask_decoder")},
    **_other("sam3_mask_decoder sam3_lite_text_mask_decoder", _TWO_AXES),
    **_other("sam2_hiera_det_model", "a learned table of two axes, and one for each window"),
    **_other("florence_vision", f"{_ROWS}, and sinusoids of time"),
    **_other("pix2struct_vision_model kosmos_2_5_vision_model gemma4_unified_vision tvp", _ROWS),
    **_all("molmo2_vision", "learned", _LEARNED, tensor="positional_embedding"),
    **_all("mllama_vision_model", "learned", "a learned table of patches, and one for each tile"),
    **_all("git idefics_vision vitpose_backbone lw_detr_vit rf_detr_dinov2 blip_2_qformer", "learned", _LEARNED),
    **_all("prophetnet", "learned", f"{_BUCKETS}, and {_LEARNED}", tensor="position_embeddings.weight"),
    **_all("bros", "learned", f"sinusoids of the boxes of words, and {_LEARNED}", tensor="position_embeddings.weight"),
    **_all("layoutlm lilt", "learned", f"{_PAGE}, and {_LEARNED}", tensor="position_embeddings.weight"),
    **_all("timesformer videoprism_vision_model", "learned", f"{_LEARNED}, and one of frames",
           tensor="position_embeddings"),
    **_all("yolos", "learned", f"{_LEARNED}, and one for each later layer", tensor="position_embeddings"),
    **_all("visual_bert", "learned", f"{_LEARNED}, and one for the vectors of the picture",
           tensor="position_embeddings.weight"),
    **_all("udop", "bias", f"{_BUCKETS}, in the text and along the two axes of the page"),
    **_all("cpmant", "bias", f"{_BUCKETS}, and by the kinds of two segments"),
    **_all("phi4_multimodal_audio", "bias", "a learned bias for each distance"),
    **_all("layoutlmv2 layoutlmv3", "learned",
           f"{_TABLES_OF_PAGE}, and {_BY_DISTANCE}"),
    **_all("lxmert", "learned", "a learned table of positions, and coordinates of boxes", counted=False),
    **{name: {"positions": "none"} for name in (
        "flava_multimodal_model", "idefics2_perceiver", "idefics_perciever", "molmo2_adapter", "moshi_depth",
        "moonshine_streaming_encoder")},
    **_other("align_vision_model bit convnext convnextv2 dac dinov3_convnext edgetam_vision_model efficientnet encodec "
             "fastspeech2_conformer_hifigan flava_image_codebook focalnet hgnet_v2 inkling_vision mobilenet_v1 "
             "mobilenet_v2 muse_spark_audio poolformer pp_lcnet pp_lcnet_v3 pp_lcnet_v4 pp_ocrv5_mobile_det "
             "pp_ocrv5_server_det pp_ocrv6_medium_det pp_ocrv6_small_det pp_ocrv6_tiny_rec qwen2_5_omni_bigvgan regnet "
             "resnet rt_detr_resnet sapiens2_head slanet speecht5_hifigan superpoint textnet univnet uvdoc "
             "uvdoc_backbone vibevoice_acoustic_tokenizer vibevoice_acoustic_tokenizer_decoder "
             "vibevoice_acoustic_tokenizer_encoder", _NOTHING, shown="nothing", counted=False),
    **_other("chameleon_vqgan cvt emu3_vqgan gemma3n_vision glm_image_vqmodel glpn janus_vqgan mobilevit mobilevitv2 "
             "pp_ocrv5_mobile_rec pp_ocrv5_server_rec pp_ocrv6_small_rec pvt_v2 segformer swiftformer", _MIXED,
             shown="nothing", counted=False),
    **_other("inkling_audio gemma4_unified_audio vibevoice_diffusion",
             "maps of single vectors, which have no positions", shown="nothing"),
}  # fmt: skip
"""Facts that override the facts of the classes.

Layout and spacing of the sinusoids are compared with the library's modules number by number. T5's biases, MPNet's and
Pix2Struct's have the same buckets; Pix2Struct's text is a decoder.
"""


def _with(keys: dict[str, Any], uses: str, **numbers: Any) -> dict[str, Any]:
    """Positions of files in which all these keys have these values."""
    return {"keys": keys, "told": {"uses": uses, **numbers}}


def _no(key: str) -> dict[str, Any]:
    return _with({key: False}, _NO_POSITIONS, shown="nothing")


_RELATIVE, _BIASED = "relative_attention", "position_biased_input"
_SHARED, _OWN, _TABLE = (
    f"use_{each}"
    for each in ("shared_relative_position_bias", "relative_position_bias", "absolute_position_embeddings")
)
_KIND = "position_embeddings_type"
_BERTS = "position_embeddings.weight"

_DEBERTA = [
    _with({_RELATIVE: True, _BIASED: False}, _DISENTANGLED),
    _with({_RELATIVE: True}, f"{_DISENTANGLED}, and {_LEARNED}", tensor=_BERTS),
    _no(_BIASED),
]
_BEIT = [
    *[_with({key: True, _TABLE: True}, f"{_OFFSETS}, and {_LEARNED}", tensor="position_embeddings")
      for key in (_SHARED, _OWN)],
    *[_with({key: True}, _OFFSETS) for key in (_SHARED, _OWN)],
    _with({_TABLE: True}, _LEARNED, tensor="position_embeddings"),
]  # fmt: skip
_PAGE_ALONE = [_with({"has_relative_attention_bias": False}, _TABLES_OF_PAGE)]
_SWIN = [_with({"use_absolute_embeddings": True}, f"{_OFFSETS}, and {_LEARNED}", tensor="position_embeddings")]
_SWIN_2 = [_with({"use_absolute_embeddings": True}, f"{_CONTINUOUS}, and {_LEARNED}", tensor="position_embeddings")]

BY_KEY: dict[str, list[dict[str, Any]]] = {
    **dict.fromkeys(("deberta", "deberta-v2"), _DEBERTA),
    **dict.fromkeys(("beit", "data2vec-vision"), _BEIT),
    **dict.fromkeys(("swin", "donut-swin", "maskformer-swin"), _SWIN),
    **dict.fromkeys(("swinv2", "swin2sr"), _SWIN_2),
    **dict.fromkeys(("layoutlmv2", "layoutlmv3"), _PAGE_ALONE),
    **{key: [_no(_TABLE)] for key in ("internvl_vision", "qianfan_ocr_vision", "lw_detr_vit")},
    "vitdet": [
        _with({"use_relative_position_embeddings": True, _TABLE: False}, _OFFSET_VECTORS),
        _with({"use_relative_position_embeddings": True}, f"{_OFFSET_VECTORS}, and {_LEARNED}",
              tensor="position_embeddings"),
        _no(_TABLE),
    ],
    "seggpt": [_with({"use_relative_position_embeddings": False}, _LEARNED, tensor="position_embeddings")],
    "sew-d": [_with({_RELATIVE: False}, _CONVOLVED)],
    "xlm": [_with({"sinusoidal_embeddings": True}, _SINUSOIDS, shown="sinusoids", layout="interleaved",
                  width="emb_dim")],
    "trocr": [_with({"use_learned_position_embeddings": False}, _SINUSOIDS, shown="sinusoids", spacing=_T2T,
                    **_PADDED)],
    "timesfm": [_with({"use_positional_embedding": True}, "fixed sinusoids of min_timescale to max_timescale")],
    "yolos": [_with({"use_mid_position_embeddings": False}, _LEARNED, tensor="position_embeddings")],
    "patchtst": [_with({"positional_encoding_type": "random"}, _RANDOM)],
    "patchtsmixer": [
        _with({"use_positional_encoding": True, "positional_encoding_type": "random"}, _RANDOM),
        _with({"use_positional_encoding": True}, _STANDARD),
    ],
    "wav2vec2-bert": [_with({_KIND: "relative"}, _CONFORMER),
                      _with({_KIND: None}, _NO_POSITIONS, shown="nothing")],
    "wav2vec2-conformer": [_with({_KIND: None}, _CONVOLVED)],
}  # fmt: skip
"""Positions that keys of a file choose, by model_type; of several the first counts, and ``TOLD`` without any."""

UNROTATED: dict[str, dict[str, Any]] = {
    "wav2vec2-bert": {"uses": _SHAW},
    "wav2vec2-conformer": {"uses": f"{_CONVOLVED}, and {_CONFORMER}"},
    "esm": {"uses": _LEARNED, "tensor": _BERTS},
}
"""Positions of models that rotate with a key alone, without that key."""
