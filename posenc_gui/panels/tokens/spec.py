"""TOKENS: each token's vector as boxes with numbers, or as lines for many columns."""

from posenc_core import Document
from posenc_core.fields import FlagField, TextField
from posenc_gui.model import PanelSpec, texts_beside

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
    **texts_beside(__package__),
    least_size=(250, 180),
    export_size=(900, 320),
    arrows=("Up, Down", "Left, Right"),
    options=(CONCATENATION, ORDER_BEFORE),
    find_used=_used_fields,
)
