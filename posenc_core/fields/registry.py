"""Kinds of a value by name, which can be registered at run time, and sequences that ask for them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar, overload

from msgspec import Struct
from typing_extensions import override


class _Titled(Protocol):
    title: ClassVar[str]


Kind = TypeVar("Kind", bound=_Titled)
Item = TypeVar("Item")


class Later(Struct, Generic[Item], frozen=True):
    """A kind by its name and title, whose file ``load`` imports; ``heading`` and ``year`` are those of a choice."""

    name: str
    title: str
    load: Callable[[], Item]
    heading: str = ""
    year: int = 0


class Registry(Mapping[str, type[Kind]], Generic[Kind]):
    """The kinds by their names, in the order of lists: built-in kinds, then those registered later.

    Choices, flags and sessions ask the registry whenever they need a kind, so that a registered one is in all of them.
    A ``Later`` kind is loaded on first use. ``add_installed`` registers the kinds of
    other packages and returns sentences on unusable kinds. It is called once, for a name that is not here or
    by ``complete``: listing the kinds imports no other package.
    """

    def __init__(
        self,
        name_of: Callable[[type[Kind]], str],
        kinds: Iterable[type[Kind] | Later[type[Kind]]],
        add_installed: "Callable[[Registry[Kind]], tuple[str, ...]]" = lambda registry: (),
    ) -> None:
        self._name_of = name_of
        self._kinds = {kind.name if isinstance(kind, Later) else name_of(kind): kind for kind in kinds}
        self._add_installed = add_installed
        self._problems: tuple[str, ...] | None = None

    @property
    def entries(self) -> tuple[type[Kind] | Later[type[Kind]], ...]:
        """The kinds that are loaded, and the entries of the others."""
        return tuple(self._kinds.values())

    @property
    def titles(self) -> tuple[tuple[str, str], ...]:
        """The name and the title of each kind; no kind is loaded."""
        return tuple((name, kind.title) for name, kind in self._kinds.items())

    def register(self, kind: type[Kind]) -> type[Kind]:
        """Add the kind and return it; ValueError for a name that another kind has."""
        name = self._name_of(kind)
        if self._kinds.setdefault(name, kind) is not kind:
            raise ValueError(f"{name} is the name of another kind, {self._kinds[name].title}")
        return kind

    def unregister(self, name: str) -> None:
        """Remove the kind of that name; KeyError for an unknown one."""
        del self._kinds[name]

    def complete(self) -> tuple[str, ...]:
        """Register the kinds of installed packages, unless this was done; sentences on those that cannot be used."""
        if self._problems is None:
            self._problems = ()  # a package may ask for a kind while it is imported
            self._problems = self._add_installed(self)
        return self._problems

    @override
    def __getitem__(self, name: str) -> type[Kind]:
        if name not in self._kinds:
            self.complete()
        kind = self._kinds[name]
        if isinstance(kind, Later):
            kind = self._kinds[name] = kind.load()
        return kind

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    @override
    def __len__(self) -> int:
        return len(self._kinds)


class Asked(Sequence[Item]):
    """A sequence whose items are made at each access."""

    def __init__(self, make: Callable[[], Iterable[Item]]) -> None:
        self._make = make

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Item]: ...
    @override
    def __getitem__(self, index: int | slice) -> Any:
        return tuple(self._make())[index]

    @override
    def __iter__(self) -> Iterator[Item]:
        return iter(self._make())

    @override
    def __len__(self) -> int:
        return len(tuple(self._make()))
