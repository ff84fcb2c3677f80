"""A Matplotlib script that rotates a query and a key in three ways and draws their scores over a shift of both."""

from collections.abc import Sequence

from msgspec import Struct

from posenc_core.encodings import Rotation
from posenc_core.explain import NUMPY, Snippet, number_list
from posenc_core.scripts.snippets import PYPLOT, assembled, head_of
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
    lines = [
        f"width, first, r = {rotary.head_dim}, {rotary.first_column}, {rotary.n_columns}  # columns; r are rotated",
        f"q = np.resize({number_list(view.query_vector)}, width)",
        f"k = np.resize({number_list(view.key_vector)}, width)",
        f"query, key, shift = {places[0]}, {places[1]}, {places[2]}  # positions, and of both",
        f"shifts = np.arange({n_shifts})",
        *_rotation_lines(rotary),
        "ways = [  # name, layout of cosines and sines, layout of the turn, colour, dashes",
        *(f"    {(*layout, look.colour, look.dashes)!r}," for layout, look in zip(layouts, looks[:3], strict=True)),
        "]",
        "fig, ax = plt.subplots(figsize=(8, 4), layout='constrained')",
        *_SCORES,
        *(_alone_line(own, look) for look in looks[3:]),
        f"ax.set_title({caution!r}, fontsize=10)",
        "ax.legend(frameon=False, fontsize=8)",
        "plt.show()",
    ]
    body = rotary.frequencies_source(NUMPY) + Snippet(tuple(lines), (PYPLOT,))
    return assembled(head_of(document.encoding), body, NUMPY)


_SCORES = (
    "for name, layout, turn, colour, dashes in ways:",
    "    queries = rotated(q, query + shifts, layout, turn)",
    "    keys = rotated(k, key + shifts, layout, turn)",
    "    scores = (queries * keys).sum(axis=1)",
    "    label = f'{name}: score {scores[shift]:.6g}, |q|² {(queries[shift] ** 2).sum():.6g}'",
    "    ax.plot(shifts, scores, color=colour, linestyle=(0, dashes) if dashes else '-', label=label)",
    "ax.axvline(shift, color='#5b6470', linewidth=1)",
    "ax.set(xlabel='shift of both positions', ylabel='score q · k')",
)


def _alone_line(layout: str, look: WayLook) -> str:
    scores = f"rotated(q, query + shifts, {layout!r}, {layout!r}) @ k"
    return f"ax.plot(shifts, {scores}, color={look.colour!r}, linestyle=(0, {look.dashes!r}), label='q alone rotated')"


def _rotation_lines(rotary: Rotation) -> list[str]:
    """The definition of a function that lays the angles out in one layout and turns in another."""
    turning = "part * np.cos(angles) + turned * np.sin(angles)"
    turning = turning if rotary.attention_factor == 1 else f"attention_factor * ({turning})"
    return [
        "",
        "",
        "def rotated(x, positions, layout, turn):  # a row for each position",
        f"    angles = {'-' if rotary.pairs.is_reversed else ''}positions[:, None] * frequencies",
        "    angles = np.repeat(angles, 2, axis=1) if layout == 'interleaved' else np.tile(angles, (1, 2))",
        "    part = x[first : first + r]",
        "    if turn == 'interleaved':",
        "        turned = np.stack([-part[1::2], part[0::2]], axis=1).ravel()",
        "    else:",
        "        turned = np.concatenate([-part[r // 2 :], part[: r // 2]])",
        "    rows = np.tile(x.astype(float), (len(positions), 1))",
        f"    rows[:, first : first + r] = {turning}",
        "    return rows",
        "",
        "",
    ]
