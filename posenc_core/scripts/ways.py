"""A Matplotlib script that rotates a query and a key in three ways and draws their scores over a shift of both."""

from collections.abc import Sequence

from msgspec import Struct

from posenc_core.explain import NUMPY, Snippet, number_list
from posenc_core.scripts.snippets import PYPLOT, assembled, filled, head_of
from posenc_core.session import Document


class WayLook(Struct, frozen=True):
    """Style of a way's line: its colour (``#rrggbb``), and its dashes in points, none for a whole line."""

    colour: str
    dashes: tuple[float, ...]


def ways_script(
    document: Document, places: tuple[int, int, int], n_shifts: int, caution: str, looks: Sequence[WayLook]
) -> str:
    """A script that draws the scores of the right rotation, of the wrong convention and of broken code.

    ``places`` are the positions of the query and of the key, and the shift of both, one of ``n_shifts`` from 0 on.
    ``caution``, the title, says which test finds which mistake. ValueError with one sentence for a family other
    than RoPE. With a fourth look, the score with only the query rotated is drawn too.
    """
    rotary, view = document.encoding.rotation, document.view
    if rotary is None:
        raise ValueError(f"pair layouts exist for RoPE only: {document.encoding.title} does not rotate")
    own, other = ("interleaved", "halves") if rotary.pairs.is_interleaved else ("halves", "interleaved")
    layouts = (("right", own, own), ("wrong convention", other, other), ("broken code", own, other))
    turning = "part * np.cos(angles) + turned * np.sin(angles)"
    lines = filled(
        "ways",
        width=rotary.head_dim,
        first=rotary.first_column,
        rotated=rotary.n_columns,
        q=number_list(view.query_vector),
        k=number_list(view.key_vector),
        query=places[0],
        key=places[1],
        shift=places[2],
        n_shifts=n_shifts,
        sign="-" if rotary.pairs.is_reversed else "",
        turning=turning if rotary.attention_factor == 1 else f"attention_factor * ({turning})",
        ways=[f"{(*layout, look.colour, look.dashes)!r}," for layout, look in zip(layouts, looks[:3], strict=True)],
        alone=[_alone_line(own, look) for look in looks[3:]],
        caution=repr(caution),
    )
    body = rotary.frequencies_source(NUMPY) + Snippet(lines, (PYPLOT,))
    return assembled(head_of(document.encoding), body, NUMPY)


def _alone_line(layout: str, look: WayLook) -> str:
    scores = f"rotated(q, query + shifts, {layout!r}, {layout!r}) @ k"
    return f"ax.plot(shifts, {scores}, color={look.colour!r}, linestyle=(0, {look.dashes!r}), label='q alone rotated')"
