"""The tokens of the last sentences: kept with each document, a long undo history would keep them all."""

from collections.abc import Generator
from typing import NamedTuple

from posenc_core.text.incremental import finished
from posenc_core.text.text_change import shared_end, shared_start
from posenc_core.text.tokens import TokenList, tokens_in_slices

_MOST = 2


class _Known(NamedTuple):
    sentence: str
    tokens: str
    token_list: TokenList


class KnownTokens:
    """Remembers the last two lists of tokens, and cuts of a sentence that is like one of them only what differs."""

    def __init__(self) -> None:
        self._known: tuple[_Known, ...] = ()
        """The newest first. Always replaced as a whole: several threads may ask."""

    def of(self, sentence: str, tokens: str) -> TokenList:
        """The sentence's tokens."""
        newest = self._known[:1]
        if newest and newest[0].tokens == tokens and newest[0].sentence == sentence:
            return newest[0].token_list
        return finished(self.coming(sentence, tokens))

    def n_pending(self, sentence: str, tokens: str) -> int:
        """How many characters have to be cut, not counting the neighbours of a change."""
        if self._found(sentence, tokens) is not None:
            return 0
        like = self._like(tokens)
        if like is None:
            return len(sentence)
        start = shared_start(like.sentence, sentence)
        return len(sentence) - start - shared_end(like.sentence, sentence, start)

    def coming(self, sentence: str, tokens: str) -> Generator[float, None, TokenList]:
        """Gives the share that is cut after every slice; at the end the tokens are known, and returned."""
        known = self._found(sentence, tokens)
        if known is None:
            like = self._like(tokens)
            slices = tokens_in_slices(sentence, tokens, None if like is None else (like.sentence, like.token_list))
            known = _Known(sentence, tokens, (yield from slices))
        self._known = (known, *(each for each in self._known if each is not known))[:_MOST]
        return known.token_list

    def _found(self, sentence: str, tokens: str) -> _Known | None:
        return next((each for each in self._known if each.tokens == tokens and each.sentence == sentence), None)

    def _like(self, tokens: str) -> _Known | None:
        return next((each for each in self._known if each.tokens == tokens), None)
