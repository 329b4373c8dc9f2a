"""Output for other programs: SARIF, GitHub, GitLab, JUnit, reviewdog."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from findings_by_hand import hint, late, leak, outcome
from jsonschema import validators
from tests.effort import some

from memlane.cli import main
from memlane.cli.check_result import CheckedFile, CheckOutcome, Failure
from memlane.cli.render import FORMATS, render
from memlane.cli.render.style import Style
from memlane.findings import Finding, Note, Report, Rule, Severity, Span
from memlane.rules import all_rules
from memlane.text import Text

SCHEMAS = (
    Path(__file__).resolve().parent.parent
    / "schemas"
    / "node_modules"
    / "@microsoft"
    / "jest-sarif"
    / "lib"
    / "schemas"
)
BROKEN = Failure("bad.mlir", "is not UTF-8")


def shown(form: str, *findings: Finding, failures: tuple[Failure, ...] = ()) -> str:
    return render(form, outcome(*findings, failures=failures), Style())


def known(finding: Finding) -> Finding:
    """The same finding of a rule that exists: SARIF refers to the table of rules."""
    return Finding(all_rules()[finding.rule.name], finding.severity, finding.report, finding.function)


@pytest.fixture
def run() -> dict[str, Any]:
    log = json.loads(shown("sarif", known(late()), known(leak()), failures=(BROKEN,)))
    assert log["version"] == "2.1.0"
    (only,) = log["runs"]
    return only


def test_sarif_rules(run: dict[str, Any]) -> None:
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(all_rules())
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert all(rule["help"]["markdown"] and rule["helpUri"].endswith(f"/{rule['id']}/") for rule in rules)


def test_sarif_path(run: dict[str, Any]) -> None:
    """A late deallocation is the end of its path, a leak the start; columns count code points."""
    found, _ = run["results"]
    ((flow,),) = ([thread["locations"] for thread in flow["threadFlows"]] for flow in found["codeFlows"])
    steps = [(step["executionOrder"], step["location"]["physicalLocation"]["region"]["startLine"]) for step in flow]
    assert steps == [(1, 2), (2, 3), (3, 6)]
    assert [place["message"]["text"] for place in found["relatedLocations"]] == ["%a is allocated here", "last use"]
    assert found["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "dir/f.mlir"},
        "region": {"startLine": 6, "startColumn": 3, "endLine": 6, "endColumn": 17},
    }
    assert found["locations"][0]["logicalLocations"] == [{"name": "f", "kind": "function"}]


def test_sarif_path_of_a_leak_starts_at_the_allocation() -> None:
    base = known(leak())
    report = Report(base.report.message, base.report.span, buffer=base.report.buffer, notes=(Note("end", Span(0, 4)),))
    log = json.loads(shown("sarif", Finding(base.rule, base.severity, report, "f")))
    flow = log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["message"]["text"] for step in flow] == [base.report.message, "end"]


def test_sarif_fix(run: dict[str, Any]) -> None:
    found, other = run["results"]
    ((change,),) = (fix["artifactChanges"] for fix in found["fixes"])
    assert [part["insertedContent"]["text"] for part in change["replacements"]] == [
        "  memref.dealloc %a : memref<?x5xf32>\n",
        "",
    ]
    assert "fixes" not in other


def test_sarif_says_what_failed(run: dict[str, Any]) -> None:
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "bad.mlir: is not UTF-8"


@pytest.fixture(scope="module")
def schema() -> Any:
    """The schema of SARIF 2.1.0, which Microsoft publishes for tests as part of an npm package."""
    found = list(SCHEMAS.glob("sarif-2.1.0*.json"))
    if not found:
        pytest.skip("needs the SARIF schema: npm ci --ignore-scripts --prefix tests/schemas")
    return json.loads(found[0].read_text(encoding="utf-8"))


def test_sarif_follows_the_schema(schema: Any) -> None:
    validator = validators.validator_for(schema)(schema)
    for findings in ((), (known(late()), known(leak()))):
        validator.validate(json.loads(shown("sarif", *findings, failures=(BROKEN,))))
    wrong = json.loads(shown("sarif", known(leak())))
    wrong["runs"][0]["results"][0]["level"] = "grave"
    assert not validator.is_valid(wrong), "the schema is one"


def test_sarif_of_real_programs_follows_the_schema(schema: Any, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(__file__).resolve().parent.parent.parent
    rules = some(sorted((folder / "tests" / "rules").glob("*.mlir")), 30)
    main(
        ["check", "--output-format", "sarif", "--show-fixes", "--isolated", str(folder / "examples"), *map(str, rules)]
    )
    log = json.loads(capsys.readouterr().out)
    validators.validator_for(schema)(schema).validate(log)
    results = log["runs"][0]["results"]
    for part in ("codeFlows", "fixes", "suppressions", "partialFingerprints", "relatedLocations"):
        assert any(part in result for result in results), part


def test_fingerprints_stay_when_lines_move() -> None:
    def marks(source: str, *findings: Finding) -> list[str]:
        run = CheckOutcome((CheckedFile("f.mlir", Text(source), findings),))
        return [issue["fingerprint"] for issue in json.loads(render("gitlab", run, Style()))]

    rule = Rule("r", Severity.ERROR, "r")

    def at(offset: int, message: str = "m", function: str = "f") -> Finding:
        return Finding(rule, Severity.ERROR, Report(message, Span(offset, offset + 1)), function)

    assert marks("a\nb\n", at(2)) == marks("x\n\n\na\nb\n", at(6))
    twice = marks("a\nb\n", at(0), at(2))
    assert len(set(twice)) == 2, "equal findings are told apart"
    assert len({*twice, *marks("ab", at(0, message="n")), *marks("ab", at(0, function="g"))}) == 4


def test_github() -> None:
    assert shown("github", late(), hint()).splitlines() == [
        "::warning title=memlane (late-free),file=dir/f.mlir,line=6,col=3,endLine=6,endColumn=17::"
        "buffer %25a is held over 2 operations%0A2: %25a is allocated here%0A3: last use",
        "::notice title=memlane (unused-buffer),file=dir/f.mlir,line=1,col=1,endLine=1,endColumn=10::nobody reads it",
    ]


def test_steps_of_a_loop_are_told_once() -> None:
    found = late()
    first, last = found.report.notes
    found = replace(found, report=replace(found.report, notes=(first, *[replace(first, message="again")] * 3, last)))
    assert "allocated here%0A2: again (3 times)%0A3: last use" in shown("github", found)
    assert shown("junit", found).count("again (3 times)") == 1
    assert len(json.loads(shown("json", found))[0]["notes"]) == 5, "programs get each"


def test_gitlab() -> None:
    (issue,) = json.loads(shown("gitlab", leak()))
    assert issue.pop("fingerprint")
    assert issue == {
        "check_name": "possible-leak",
        "description": "possible-leak: buffer %数 is lost",
        "severity": "critical",
        "location": {
            "path": "dir/f.mlir",
            "positions": {"begin": {"line": 7, "column": 8}, "end": {"line": 7, "column": 20}},
        },
    }


def test_junit() -> None:
    root = ElementTree.fromstring(shown("junit", late(), leak(), failures=(BROKEN,)))
    assert root.attrib == {"name": "memlane", "tests": "3", "failures": "2", "errors": "1"}
    suite, broken = root
    assert [case.attrib["name"] for case in suite] == ["late-free 6:3", "possible-leak 7:8"]
    (failure,) = suite[0]
    assert failure.text == (
        "dir/f.mlir:6: buffer %a is held over 2 operations\ndir/f.mlir:2: %a is allocated here\ndir/f.mlir:3: last use"
    )
    assert broken[0][0].attrib["message"] == "is not UTF-8"


def test_junit_of_a_clean_file_has_a_case_that_passed() -> None:
    root = ElementTree.fromstring(shown("junit"))
    assert root.attrib["tests"] == "1"
    assert len(root[0]) == 1
    assert len(root[0][0]) == 0


def test_rdjson_counts_bytes() -> None:
    (found,) = json.loads(shown("rdjson", leak()))["diagnostics"]
    assert found["location"]["range"]["start"] == {"line": 7, "column": 10}
    assert found["severity"] == "ERROR"
    assert found["code"]["value"] == "possible-leak"


@pytest.mark.parametrize("form", FORMATS)
def test_hostile_text_breaks_no_format(form: str) -> None:
    rule = next(iter(all_rules().values()))
    report = Report('a\x00\x1b[31m<b>&"\n::error::x\ud800', Span(0, 1), notes=(Note("\x07", Span(2, 2)),))
    run = CheckOutcome((CheckedFile("a&<\x1b>.mlir", Text("\x00\n"), (Finding(rule, rule.severity, report, None),)),))
    text = render(form, run, Style())
    assert "\x1b" not in text
    if form in ("json", "sarif", "gitlab", "rdjson"):
        json.loads(text)
    elif form == "junit":
        ElementTree.fromstring(text.encode("utf-8", "replace"))
    elif form == "github":
        assert len(text.splitlines()) == 1
