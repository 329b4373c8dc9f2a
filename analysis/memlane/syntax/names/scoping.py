"""What reading asks about op names: is it isolated, a function, a table of symbols? Answers are remembered."""

from __future__ import annotations

from memlane.dialects import builtin_models
from memlane.dialects.model import Models
from memlane.syntax.shapes import forms
from memlane.syntax.shapes.tokens import BARE_OPS
from memlane.syntax.shapes.vocabulary import vocabulary


class Scoping:
    """The answers of the models where they describe an op, else those of `forms`."""

    __slots__ = ("__weakref__", "_functions", "_isolated", "_undescribed", "models")

    def __init__(self, models: Models | None = None) -> None:
        self.models = models
        self._isolated: dict[str, bool] = {}
        self._functions: dict[str, bool] = {}
        self._undescribed: dict[str, bool] = {}

    def isolated(self, name: str) -> bool:
        """Whether the op's regions see no values from outside."""
        known = self._isolated.get(name)
        if known is None:
            model = self.models.of(name) if self.models is not None else None
            known = name in forms.ISOLATED or self.function(name) or (model is not None and model.isolated)
            known = known and name not in forms.SEEING
            self._isolated[name] = known
        return known

    def function(self, name: str) -> bool:
        """Whether the op is a function: a unit of its own."""
        known = self._functions.get(name)
        if known is None:
            known = name in forms.FUNCTIONS or (self.models is not None and self.models.is_function(name))
            self._functions[name] = known
        return known

    def undescribed(self, name: str) -> bool:
        """Whether the syntax of the op is unknown: it may declare names in its head, hide those from outside, and give
        the names in its regions a dialect. A description of a user's own says what it does, not how it is written.
        """
        known = self._undescribed.get(name)
        if known is None:
            ours = name in BARE_OPS or name.partition(".")[0] in vocabulary() or builtin_models().of(name) is not None
            known = self._undescribed[name] = bool(name) and not ours
        return known

    def graph(self, name: str) -> bool:
        """Whether the op's regions may use values before they are defined: also where it is unknown, as it is of a
        function that is taken for one by its name alone (`handshake.func`)."""
        if name in forms.GRAPH_REGIONS:
            return True
        if self.function(name):
            return name not in forms.FUNCTIONS and self.undescribed(name) and self._has_no_model(name)
        return name.partition(".")[0] not in forms.ORDERED_DIALECTS

    def _has_no_model(self, name: str) -> bool:
        return self.models is None or self.models.of(name) is None
