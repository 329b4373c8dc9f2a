"""The tokens of a shape and their lookahead conditions: regular expressions."""

from __future__ import annotations

import re

from memlane.lazy import regex
from memlane.syntax.shapes.brackets import OPERANDS, PARAMETRIC
from memlane.syntax.shapes.holes import BLOCK, HOLE, VALUE

_ID = r"[A-Za-z$._-][A-Za-z0-9$._-]*"
_STRING = r'"(?:[^"\\\n]|\\.)*"'

TOKEN = regex(
    rf"""(?P<SKIP>(?:\s+|//[^\n]*)+)
    |(?P<VAL>{VALUE}(?:\#\d+)?)
    |(?P<WORD>[A-Za-z_][A-Za-z0-9_$.]*)
    |(?P<NUM>{HOLE}|0x[0-9a-fA-F]+|\d+(?:\.\d*(?:[eE][-+]?\d+)?)?)
    |(?P<STR>{_STRING})
    |(?P<SYM>@(?:{HOLE}|{_STRING}|{_ID})(?:::@(?:{HOLE}|{_STRING}|{_ID}))*)
    |(?P<TYPE>!(?:{HOLE}|{_STRING}|{_ID}))
    |(?P<RES>\{{-\#|\#-\}})
    |(?P<ATTR>\#(?:{HOLE}|{_STRING}|{_ID}|\d+))
    |(?P<BLOCK>{BLOCK})
    |(?P<OP>->|\u2192|::|==|>=|<=|=>|[()\[\]{{}}<>,:=])
    |(?P<OTHER>[-+*/?|&.;])
    |(?P<BAD>[^\x00-\x7f\u2192]+|.)""",
    re.VERBOSE,
)
RESULTS = regex(
    rf'{VALUE}(?::\d+)?(?:\s*,\s*{VALUE}(?::\d+)?)*\s*=(?!=)\s*(?:"|(?!max\b|min\b|loc\b)[A-Za-z_][\w$.]*(?!\w|<))'
)
PARAMETRIC_RESULT = regex(rf"{VALUE}(?::\d+)?(?:\s*,\s*{VALUE}(?::\d+)?)*\s*=\s*{PARAMETRIC.pattern}")
ONE_RESULT = regex(rf"{VALUE}(?::\d+)?")
LOCATION = regex(r"loc\s*\(")
REGION_HERE = regex(rf"\(\s*(?=\{{(?!-#|{OPERANDS}))")
OPERATION_HERE = regex(
    rf"""\s*(?:{VALUE}(?::\d+)?(?:\s*,\s*{VALUE}(?::\d+)?)*\s*=\s*(?:"|[A-Za-z_]\w*\.)
    |{BLOCK}(?:\s*:|\()|[A-Za-z_]\w*\.[\w.$]*\w\s+[{VALUE}@"])""",
    re.VERBOSE,
)
"""Behind a brace: what nothing but a region holds."""

COUNT = regex(rf"\s*(?:\{{[^{{}}]*\}}\s*)?:\s*(?:{HOLE}|\d)")
LABEL = regex(rf"{BLOCK}\s*(?:\(|:)")
BUILTIN = regex(
    r"(?:[su]?i\d+|index|none|bf16|tf32|f(?:16|32|64|80|128|\d+E\d+M\d+\w*)|memref|tensor|vector|tuple|complex|opaque)$"
)
BEHIND = regex(
    rf"call\s*@|call_indirect\s*{VALUE}|constant\s*@|module\s*(?:[{{@]|attributes\b)|br\s*{BLOCK}"
    rf"|(?:cond_br|unrealized_conversion_cast)\s*{VALUE}"
)
"""Of names without a dialect, what starts an operation behind another one on its line as well: no clause says this."""

NULLARY = regex(r"(?i).*(?:return|yield|terminator|unreachable|kill|finalize|barrier)$")
ENDS = frozenset("TYPE RPAR RDICT RPROP ATTR VAL NUM SYM STR RSQB BLOCK RREGION".split())
SURE_ENDS = frozenset("TYPE RPAR RDICT RREGION".split())
ENDING_WORDS = frozenset({"true", "false", "uninitialized"})
"""Tokens, words and names of operations that may end an operation: another one may start, or a block."""
