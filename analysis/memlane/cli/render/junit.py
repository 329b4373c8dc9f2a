"""`junit`: a test report: a suite for each file, a failed case for each finding, a passed one for a clean file."""

from __future__ import annotations

from xml.etree import ElementTree

from memlane.cli.check_result import CheckedFile, CheckOutcome, Failure
from memlane.cli.render.records import location
from memlane.cli.render.style import Style, visible
from memlane.findings import Finding, gathered


def render(outcome: CheckOutcome, style: Style) -> str:
    """The report, as XML."""
    failed = sum(len(file.findings) for file in outcome.files)
    passed = sum(not file.findings for file in outcome.files)
    root = ElementTree.Element("testsuites", name="memlane")
    _count(root, failed + passed + len(outcome.failures), failed, len(outcome.failures))
    for file in outcome.files:
        _suite(root, file)
    for failure in outcome.failures:
        _error(root, failure)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=False)


def _suite(root: ElementTree.Element, file: CheckedFile) -> None:
    suite = ElementTree.SubElement(root, "testsuite", name=visible(file.name))
    _count(suite, max(1, len(file.findings)), len(file.findings), 0)
    if not file.findings:
        ElementTree.SubElement(suite, "testcase", name="memlane", classname=visible(file.name))
    for finding in file.findings:
        _case(suite, file, finding)


def _case(suite: ElementTree.Element, file: CheckedFile, finding: Finding) -> None:
    report = finding.report
    place = location(file.text, report.span.start)
    case = ElementTree.SubElement(
        suite,
        "testcase",
        name=f"{finding.rule.name} {place['row']}:{place['column']}",
        classname=visible(file.name),
        file=visible(file.name),
        line=str(place["row"]),
    )
    failure = ElementTree.SubElement(case, "failure", type=finding.severity.value, message=visible(report.message))
    steps = [(report.message, report.span), *((note.message, note.span) for note in gathered(report.notes))]
    lines = [
        f"{visible(file.name)}:{location(file.text, span.start)['row']}: {visible(message)}" for message, span in steps
    ]
    failure.text = "\n".join([*lines, *([f"not fixed: {visible(report.unfixed)}"] if report.unfixed else [])])


def _error(root: ElementTree.Element, failure: Failure) -> None:
    suite = ElementTree.SubElement(root, "testsuite", name=visible(failure.name))
    _count(suite, 1, 0, 1)
    case = ElementTree.SubElement(suite, "testcase", name="memlane", classname=visible(failure.name))
    ElementTree.SubElement(case, "error", type="failure", message=visible(failure.message))


def _count(element: ElementTree.Element, tests: int, failures: int, errors: int) -> None:
    element.set("tests", str(tests))
    element.set("failures", str(failures))
    element.set("errors", str(errors))
