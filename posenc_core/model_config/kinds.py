"""The kinds of layers of a model, for a choice by the user."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from posenc_core.fields import shortened
from posenc_core.model_rules import ALL_LAYERS, Notes, Plan, PlannedLayer, Values, label_of, labels, plan_of, some_names


class Kinds(Struct, frozen=True):
    """The layers of a model that differ in their positions, by the names by which the user chooses among them.

    ``by_name`` is empty if all layers have the same positions; ``first`` is the default choice.
    ``others`` are further names of these kinds.
    """

    by_name: dict[str, PlannedLayer]
    others: dict[str, PlannedLayer]
    first: PlannedLayer

    def chosen(self, name: str | None) -> tuple[PlannedLayer, Notes]:
        """The layer of that name, or the first one, and a note; ValueError for an unknown name."""
        names = list(self.by_name)
        if name is None:
            return self.first, _choice_note(self, names)
        if not names:
            return self.first, (
                f"the parameters do not depend on the layer type: {shortened(name)} makes no difference",
            )
        if name not in self.by_name and name not in self.others:
            raise ValueError(f"layer_type must be {some_names(names, ' or ')}, got {shortened(name)}")
        return self.by_name.get(name) or self.others[name], ()


def _choice_note(kinds: Kinds, names: Sequence[str]) -> Notes:
    if len(names) <= 1:
        return ()
    shown = next((name for name in names if kinds.by_name[name] == kinds.first), names[0])
    listed = f"({some_names(names, ', ')}): those of {some_names([shown])} are shown"
    return (f"the parameters depend on the layer type {listed}",)


def kinds_of(values: Values) -> Kinds:
    """The kinds of layers of the model that differ in their positions."""
    plan = plan_of(values)
    named = labels(values)
    attending = [each for each in plan.layers if each.attends] or list(plan.layers)
    types = {each.layer_type: each for each in reversed(attending) if each.layer_type}
    if named != (ALL_LAYERS,):
        by_name = {label: _of_label(values, plan, label) for label in named}
        first = by_name.get("full_attention") or next(iter(by_name.values()))
        if not first.rotates:
            first = next((each for each in by_name.values() if each.rotates), first)
        return Kinds(by_name, types, first)
    first = next((each for each in attending if each.rotates), attending[0])
    by_name = _named_kinds(attending)
    return Kinds(by_name, types if by_name else {}, first)


def _of_label(values: Values, plan: Plan, label: str) -> PlannedLayer:
    """A layer with the parameters of that label, which no layer of the model may have."""
    found = [each for each in plan.layers if each.label == label and each.attends]
    rotating = [each for each in found if each.rotates]
    if rotating or found:
        return (rotating or found)[0]
    return PlannedLayer(label, label_of(label, (label,)), rotates=True, attends=True, reason="")


def _named_kinds(layers: Iterable[PlannedLayer]) -> dict[str, PlannedLayer]:
    """Names for layers that share their parameters and still differ: by their type, whether they rotate, or number."""
    distinct: dict[Any, tuple[int, PlannedLayer]] = {}
    by_type: dict[str, set[Any]] = {}
    for index, each in enumerate(layers):
        key = (each.rotates, repr(each.theta), repr(each.overrides))
        distinct.setdefault(key, (index, each))
        by_type.setdefault(each.layer_type or "", set()).add(key)
    if len(distinct) == 1:
        return {}
    if all(len(keys) == 1 for keys in by_type.values()):
        return {name: distinct[next(iter(keys))][1] for name, keys in by_type.items()}
    if len(distinct) == 2 and len({each.rotates for _, each in distinct.values()}) == 2:
        return {"rotary" if each.rotates else "none": each for _, each in distinct.values()}
    return {f"layer {index}": each for index, each in distinct.values()}
