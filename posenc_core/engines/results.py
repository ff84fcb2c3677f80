"""The form of the engines' answers, and of their comparison with a model's class."""

from msgspec import Struct

from posenc_core.encodings import Encoding

SAME, SAME_ANGLES, DIFFERENT, REFUSES, UNKNOWN = "same", "same angles", "different", "refuses", "unknown"
"""Verdicts on an engine beside the model's class; the second where the angles agree and the window was not read."""

RUN, READ, REPORTED = "run", "read", "reported"
"""Evidence for a fact: the engine's own lines were run, its source was read, or a third party reported it."""


class Source(Struct, frozen=True):
    """The lines of an engine that decide: the project, its version, the file, and the function or class."""

    project: str
    version: str
    file: str
    function: str


class EngineResult(Struct, frozen=True, kw_only=True):
    """The computation of an engine for a kind of layers.

    ``mark`` is "run", "read" or "reported", empty if the lines were not read. ``encoding`` is None if the engine
    ``refuses`` the file, or if ``unknown`` names an unread source. Both are sentences. ``columns`` is the number of
    rotated columns, also if a head has fewer. ``holes``: positions whose angles are all 0. ``window``: tokens that a
    query sees, itself included, None for all of them; ``window_read`` is False where the engine's window was not read,
    and ``window`` None; ``window_fixed`` is True where no key of the file changes it. ``lengths`` explains the effect
    of lengths, ``arithmetic`` is the precision of the angles, ``ignored`` lists keys of the file without effect,
    ``notes`` are further remarks.
    """

    source: Source
    mark: str
    encoding: Encoding | None = None
    columns: int | None = None
    window: int | None = None
    window_read: bool = True
    window_fixed: bool = False
    holes: tuple[int, ...] = ()
    refuses: str = ""
    unknown: str = ""
    lengths: str = ""
    arithmetic: str = ""
    ignored: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def too_long(self) -> str:
        """The note that the engine refuses the length; empty if there is none."""
        return next((note for note in self.notes if note.startswith(f"{self.source.project} refuses ")), "")


class Advice(Struct, frozen=True):
    """The text to write, empty if none was found, its place, and further remarks."""

    text: str
    where: str
    limit: str = ""


_TITLES = {"vllm": "vLLM", "sglang": "SGLang", "tensorrt-llm": "TensorRT-LLM"}
"""Engines whose own spelling is not their name on the command line."""

_COUNTED = {
    SAME: ("agrees", "agree"),
    SAME_ANGLES: ("agrees in angles (window not read)", "agree in angles (windows not read)"),
    DIFFERENT: ("differs", "differ"),
    REFUSES: ("refuses", "refuse"),
    UNKNOWN: ("is not known", "are not known"),
}
"""Predicates of a number of engines by verdict, singular and plural."""


class EngineRow(Struct, frozen=True, kw_only=True):
    """An engine's computation for a kind of layers, and its differences from the model's class.

    ``verdict``: "same", "same angles", "different", "refuses" or "unknown". ``differences`` are sentences. ``position``
    and ``pair`` are the first that deviate by more than 45 degrees, None if no pair does within the length and the
    layers' window. ``score_factor`` is the factor on scores relative to the class, ``unseen`` the number of pairs with
    angles that training did not show; None if unknown.
    ``write`` is the setting with which a deviating engine agrees with the class. ``wanted`` is the encoding of the
    class, None for a GGUF file without a config.json.
    """

    engine: str
    layer_type: str
    indices: tuple[int, ...]
    computed: EngineResult
    verdict: str
    wanted: Encoding | None = None
    differences: tuple[str, ...] = ()
    position: int | None = None
    pair: int | None = None
    score_factor: float | None = None
    unseen: int | None = None
    write: Advice | None = None

    @property
    def title(self) -> str:
        """The engine in its own spelling."""
        return _TITLES.get(self.engine, self.engine)

    @property
    def parting(self) -> str:
        """The first position that deviates by more than 45 degrees, in words; empty where nothing differs."""
        if self.position is not None:
            return f"first off by 45 degrees at position {self.position:,}, pair {self.pair}"
        return "no pair is off by 45 degrees at a distance that the layers see" if self.verdict == DIFFERENT else ""


class EngineTable(Struct, frozen=True):
    """The rows of all requested engines, the length in tokens, and the day on which the facts were read."""

    rows: tuple[EngineRow, ...]
    length: int
    facts_read: str

    @property
    def agree(self) -> bool:
        """Whether every engine agrees with the class in all that was read of it."""
        return all(row.verdict in (SAME, SAME_ANGLES) for row in self.rows)

    @property
    def words(self) -> str:
        """One line: the number of engines that agree with the class in all layers, and where the others deviate."""
        others = [row for row in self.rows if row.engine != "transformers"]
        found = {name: {row.verdict for row in others if row.engine == name} for name in {row.engine for row in others}}
        order = (DIFFERENT, REFUSES, UNKNOWN, SAME_ANGLES, SAME)
        worst = [next(each for each in order if each in given) for given in found.values()]
        counts = {verdict: worst.count(verdict) for verdict in _COUNTED}
        first = min((row.position for row in others if row.position is not None), default=None)
        from_there = "" if first is None else f" from position {first:,} on"
        told: list[str] = []
        for verdict, count in counts.items():
            if count:
                engines = f" engine{'s' * (count != 1)}" if not told else ""
                there = from_there if verdict == DIFFERENT else ""
                told.append(f"{count}{engines} {_COUNTED[verdict][count != 1]}{there}")
        return ", ".join(told)
