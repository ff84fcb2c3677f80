"""Pointing at cached keys: a key, and a pair with an error of its angle."""

from collections.abc import Iterator

from typing_extensions import override

from posenc_core.long_context import cache_bases, stale_angles
from posenc_core.session import LETTERS
from posenc_gui.figures.lines import LinePointing, LinesView
from posenc_gui.look import counted, significant
from posenc_gui.model import Cursor, cursor_pair, pair_column
from posenc_gui.panels.cache.keys import Cache


class CachePointing(LinePointing[LinesView]):
    """The cursor as a key, with the pair of its column."""

    @override
    def notes(self, view: LinesView, standing: str) -> Iterator[str]:
        document, cache = view.document, Cache.of(view.document)
        if not cache.indices:
            return
        yield _worst_words(cache, view)
        yield self._key_words(cache, view)
        n_drawn = len(cache.keys[0].positions)
        yield f"{n_drawn} of {counted(cache.length)} keys drawn" if n_drawn < cache.length else ""
        without = [LETTERS[each] for each in range(len(document.encodings)) if each not in cache.indices]
        yield f"{' and '.join(without)} without dynamic NTK" if without else ""
        yield "cached keys are not rotated again"

    def _key_words(self, cache: Cache, view: LinesView) -> str:
        """The key at the cursor: its base, and its angle off in the cursor's pair."""
        key = self.x_of(view)
        if key is None:
            return ""
        base = float(cache_bases(cache.encodings[0], [int(key) + 1])[0])
        words = f"key {counted(int(key))}: base {counted(round(base))}"
        off = self.number()
        if off is None:
            return words
        return f"{words}, pair {cursor_pair(view.encoding, view.cursor)} off by {significant(off, 4)} rad"

    @override
    def number(self) -> float | None:
        """The angle of the cursor's key and pair when it was cached, minus its present one, in rad."""
        view = self.view
        cache, key, pair = Cache.of(view.document), self.x_of(view), cursor_pair(view.encoding, view.cursor)
        if key is None or pair is None or pair >= len(cache.encodings[0].frequencies()):
            return None
        return float(stale_angles(cache.encodings[0], [int(key)], cache.length)[0, pair])

    @override
    def x_of(self, view: LinesView) -> float | None:
        cache = Cache.of(view.document)
        if view.cursor is None or view.encoding.relative or not cache.indices:
            return None
        return view.cursor.position if 0 <= view.cursor.position < cache.length else None

    @override
    def pointed_x(self, x: float, pinned: bool) -> Cursor | None:
        view = self.view
        return None if view.encoding.relative else Cursor(int(x), view.at.column, pinned)

    @override
    def stepped(self, view: LinesView, across: int, down: int) -> Cursor | None:
        encoding, cache = view.encoding, Cache.of(view.document)
        if encoding.relative or not cache.indices:
            return None
        position = min(max(view.at.position + across, 0), cache.length - 1)
        if not down or encoding.pairs is None:
            return Cursor(position, view.at.column, True)
        pair = min(max((cursor_pair(encoding, view.cursor) or 0) + down, 0), encoding.pairs.n_pairs - 1)
        return Cursor(position, pair_column(encoding, pair), True)


def _worst_words(cache: Cache, view: LinesView) -> str:
    """The drawn key with the largest error."""
    keys, letter = cache.keys[0], cache.letters(view.document)[0]
    subject, index = f"{letter}: " if letter else "", int(keys.largest.argmax())
    if not keys.largest[index]:
        return f"{subject}no error up to n = L = {counted(cache.trained[0])}"
    most = f"{significant(float(keys.largest[index]), 4)} rad, pair {keys.worst[index]}"
    return f"{subject}largest error: key {counted(int(keys.positions[index]))}, {most}"
