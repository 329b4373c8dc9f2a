"""Facts about functions derived from their texts: the least fixpoint over each SCC of the call graph.

(The functional approach of Sharir and Pnueli, "Two approaches to interprocedural data flow analysis", 1981, over the
strongly connected components of the call graph.)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from memlane.cancellation import poll
from memlane.flow.cfg.scc import components
from memlane.flow.dataflow.solver import worklist
from memlane.flow.interproc.function import FunctionFlow

Text = TypeVar("Text")
Answer = TypeVar("Answer")


class Least(ABC, Generic[Text, Answer]):
    """One question about functions. Each is read once, and the answer is in the memo of the function, by the class that
    asks."""

    def of(self, flow: FunctionFlow) -> Answer:
        """The answer for a function."""
        if self.known(flow) is None:
            texts: dict[FunctionFlow, Text] = {}

            def following(one: FunctionFlow) -> Iterable[FunctionFlow]:
                if self.known(one) is not None:
                    return ()
                poll()
                texts[one] = self.read(one)
                return self.asked(texts[one])

            for members in components([flow], following):
                if self.known(members[0]) is None:
                    try:
                        self._settle(members, texts)
                    except BaseException:  # less than the answers is known
                        for one in members:
                            self.keep(one, None)
                        raise
        answer = self.known(flow)
        assert answer is not None
        return answer

    def known(self, flow: FunctionFlow) -> Answer | None:
        """The stored answer for a function."""
        return flow.memo.get(type(self))

    def keep(self, flow: FunctionFlow, answer: Answer | None) -> None:
        """Store the answer for a function; None: unknown."""
        flow.memo[type(self)] = answer

    @abstractmethod
    def read(self, flow: FunctionFlow) -> Text:
        """What the text of a function says."""

    @abstractmethod
    def asked(self, text: Text) -> list[FunctionFlow]:
        """The functions whose answers decide, too."""

    @abstractmethod
    def alone(self, text: Text) -> Answer:
        """The answer where others do nothing."""

    @abstractmethod
    def together(self, text: Text, before: Answer) -> Answer:
        """The answer with what is known of others by now; never less than `before`."""

    def _settle(self, members: list[FunctionFlow], texts: Mapping[FunctionFlow, Text]) -> None:
        """Answer for functions that ask each other: of all others that they ask it is known."""
        asking: dict[FunctionFlow, dict[FunctionFlow, None]] = {}
        for flow in members:
            self.keep(flow, self.alone(texts[flow]))
            for other in self.asked(texts[flow]):
                asking.setdefault(other, {})[flow] = None
        number = {flow: -number for number, flow in enumerate(members)}

        def visit(flow: FunctionFlow) -> Iterable[FunctionFlow]:
            before = self.known(flow)
            assert before is not None
            after = self.together(texts[flow], before)
            if after == before:
                return ()
            self.keep(flow, after)
            return asking.get(flow, ())

        worklist(members, visit, number.__getitem__)
