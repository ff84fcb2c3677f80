"""The Matplotlib script of the three ways."""

from posenc_core.explain import NUMPY, Snippet, number_list, template_lines
from posenc_core.scripts import PYPLOT, assembled, head_of
from posenc_gui.panels.ways.numbers import SHIFTS
from posenc_gui.panels.ways.painter import way_look
from posenc_gui.panels.ways.pointing import WaysShown
from posenc_gui.panels.ways.spec import BOTH_SHIFT, KEY_POSITION, QUERY_POSITION


def script(view: WaysShown) -> str:
    """A script that rotates a query and a key in three ways, and draws their scores over the shift of both."""
    document, ways, rotary = view.document, view.ways, view.encoding.rotation
    assert ways is not None
    assert rotary is not None  # the panel needs a rotation
    query, key, shift = (document.option(each) for each in (QUERY_POSITION, KEY_POSITION, BOTH_SHIFT))
    own, other = ("interleaved", "halves") if rotary.pairs.is_interleaved else ("halves", "interleaved")
    layouts = (("right", own, own), ("wrong convention", other, other), ("broken code", own, other))
    turning = "part * np.cos(angles) + turned * np.sin(angles)"
    lines = template_lines(
        __file__,
        "script",
        width=rotary.head_dim,
        first=rotary.first_column,
        rotated=rotary.n_columns,
        q=number_list(document.view.query_vector),
        k=number_list(document.view.key_vector),
        query=query,
        key=key,
        shift=shift,
        n_shifts=len(SHIFTS),
        sign="-" if rotary.pairs.is_reversed else "",
        turning=turning if rotary.attention_factor == 1 else f"attention_factor * ({turning})",
        ways=[f"{(*layout, *way_look(view.style, index))!r}," for index, layout in enumerate(layouts)],
        alone=[] if ways.alone is None else [_alone_line(own, *way_look(view.style, 3))],
        caution=repr(ways.summary()),
    )
    body = rotary.frequencies_source(NUMPY) + Snippet(lines, (PYPLOT,))
    return assembled(head_of(view.encoding), body, NUMPY)


def _alone_line(layout: str, colour: str, dashes: tuple[float, ...]) -> str:
    scores = f"rotated(q, query + shifts, {layout!r}, {layout!r}) @ k"
    return f"ax.plot(shifts, {scores}, color={colour!r}, linestyle=(0, {dashes!r}), label='q alone rotated')"
