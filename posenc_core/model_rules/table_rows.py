"""The row of the first token in the learned tables of classes whose tables have rows beside those of tokens.

Sources: ``modeling_<model_type>.py`` of transformers 5.23.0, ``create_position_ids_from_input_ids`` and
``LearnedPositionalEmbedding``.
"""

from posenc_core.model_rules.facts import Notes, Values


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_AFTER_PADDING = _names("""
    roberta xlm-roberta xlm-roberta-xl camembert longformer mpnet esm layoutlmv3 luke markuplm lilt data2vec-text
    clap_text_model altclip altclip_text_model bridgetower bridgetower_text_model roberta-prelayernorm ibert xmod
""")
"""Classes that count positions from the row after the padding's, within ``max_position_embeddings`` rows."""

_AFTER_TWO = _names("bart mbart plbart mvp trocr opt biogpt nystromformer mra yoso pp_formulanet pp_formulanet_text")
"""Classes that add two to every position, and two rows to the table."""

_PADDING = 1
"""The number of fairseq's padding."""


def first_row_of(values: Values) -> tuple[int, str]:
    """The row of the first token in the model's table of positions, and a remark."""
    if values.model_type in _AFTER_PADDING:
        found = _PADDING if values.model_type == "mpnet" else values.find("pad_token_id")  # MPNet's is fixed
        row = found + 1 if type(found) is int and 0 <= found < 2**31 else _PADDING + 1
        return row, f"row {row}: the rows up to the padding's number {row - 1} are not used by tokens"
    if values.model_type in _AFTER_TWO:
        return 2, "row 2: the class adds 2 to every position"
    return 0, "row 0"


def rows_beside_tokens(values: Values) -> int:
    """The rows of the model's table beyond ``max_position_embeddings``."""
    return 2 if values.model_type in _AFTER_TWO else 0


def tokens_of(values: Values, n_rows: int) -> tuple[int, Notes]:
    """The tokens that ``max_position_embeddings`` allows in a model with a table, and a note if they are fewer."""
    if values.model_type not in _AFTER_PADDING:
        return n_rows, ()
    row, remark = first_row_of(values)
    return n_rows - row, (f"{n_rows:,} rows for {n_rows - row:,} tokens, from {remark}",)
