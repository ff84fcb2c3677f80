"""TOKENS: each token's vector as boxes with numbers, or as lines for many columns."""

from posenc_core import Document
from posenc_core.fields import FlagField, TextField
from posenc_gui.model import PanelSpec

CONCATENATION = FlagField(
    name="concatenation",
    label="Concatenated vectors",
    help="Draw the embedding and the position's vector side by side instead of added, as bars in one more row.",
    default=False,
)

ORDER_BEFORE = TextField(
    name="order_before",
    label="order before",
    help="The same words in another order. Their vectors at the same positions are one more row of each token.",
    default="",
    maximum=200_000,
)


def _used_fields(document: Document) -> tuple[str, ...]:
    is_sum = document.encoding.combination.kind == "sum" and document.embedding.embedding != "none"
    return (CONCATENATION.name,) if is_sum else ()


SPEC = PanelSpec(
    package=__package__,
    title="Tokens",
    hint="one row per token",
    explanation=(
        "Each strip is one token's vector, column 0 on the left: the dots on the token's line in the waves. With "
        "an embedding, the strip shows the token's own vector W_e, the position's vector PE, and their sum, the "
        "input of a Transformer's first layer; with RoPE, a query before and after its rotation. Grey boxes with a "
        "dash are keys that a causal model masks."
    ),
    handling="The wheel scrolls.",
    more=(
        "A rotation preserves the length of a query. If positions are distances, the strip of a key is relative to "
        "one query. All strips share one scale. With many columns, sines and cosines are two lines instead of "
        "boxes, and other numbers are bars."
    ),
    least_size=(250, 180),
    export_size=(900, 320),
    arrows=("Up, Down", "Left, Right"),
    options=(CONCATENATION, ORDER_BEFORE),
    find_used=_used_fields,
)
