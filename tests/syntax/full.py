"""Everything that the tests sample, in full.

`python tests/syntax/full.py [CHECK...] [--show N] [FILE...]`; all checks where none is named:

- `ops`, `definitions`: the corpus beside LLVM's tools;
- `lines`: operations of the corpus with each chunk on a single line, and with half of its lines joined;
- `edits`: 10,000 random edits on ten files;
- `damage`, `elsewhere`: 200 files half typed, and what is answered about the rest of them;
- `mutations`: single-character mutations of the cases; `mild`: those that most programs survive.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from damage import damage, elsewhere, file_of, half_typed
from mutations import false_problems
from mutations import main as mutate
from relaid import on_fewer_lines, on_one_line
from syntax_compare import compare_definitions, differences
from syntax_oracle import CORPUS, SHARED, LanguageServer, chunks, run
from test_incremental import FILES, random_edits

from memlane.syntax import Document, parse


def corpus(chosen: list[str]) -> list[Path]:
    """The files to read."""
    return [Path(name) for name in chosen] or sorted(CORPUS.rglob("*.mlir"))


def check_ops(files: list[Path], show: int) -> bool:
    """Op names and places on every chunk that mlir-opt accepts; problems reported there are false."""
    accepted = exact = total = missed = invented = false = 0
    for path in files:
        for line, text in chunks(path.read_text(encoding="utf-8", errors="replace")):
            found = differences(text)
            if found is None:
                continue
            accepted += 1
            total += found[2]
            missed += len(found[0])
            invented += len(found[1])
            problems = parse(text).problems
            false += len(problems)
            exact += not (found[0] or found[1])
            if show > 0 and (found[0] or found[1] or problems):
                show -= 1
                print(f"{path}:{line + 1}: missed {found[0][:3]} invented {found[1][:3]}")
                for problem in problems[:2]:
                    at = line + text.count("\n", 0, problem.span.start) + 1
                    print(f"  {path}:{at}: {problem.rule} {problem.message}")
    print(f"ops: {exact} of {accepted} chunks exact; {total} ops, {missed} missed, {invented} invented, ", end="")
    print(f"{false} false problems")
    return exact == accepted and not false


def check_lines(files: list[Path], show: int) -> bool:
    """Op names and places on every chunk that mlir-opt accepts, put on one line and on fewer lines."""
    chooser = random.Random(3)
    accepted = wrong = false = 0
    for path in files:
        for line, text in chunks(path.read_text(encoding="utf-8", errors="replace")):
            if not text.strip() or run(text) is None:
                continue
            for relaid in (on_one_line(text), on_fewer_lines(text, chooser)):
                found = differences(relaid)
                if found is None:
                    continue
                accepted += 1
                problems = parse(relaid).problems
                wrong += bool(found.missed or found.invented)
                false += bool(problems)
                if show > 0 and (found.missed or found.invented or problems):
                    show -= 1
                    print(f"{path}:{line + 1}: {found.missed[:3]} {found.invented[:3]} {problems[:2]}")
    print(f"lines: {accepted} chunks on other lines, {wrong} read otherwise, {false} with a false problem")
    return not wrong and not false


def check_definitions(files: list[Path], show: int) -> bool:
    """The definition of every SSA use in every chunk that mlir-opt accepts."""
    server = LanguageServer()
    total = wrong = unanswered = 0
    for path in files:
        for line, text in chunks(path.read_text(encoding="utf-8", errors="replace")):
            if run(text) is None:
                continue
            found = compare_definitions(server, f"file:///{path.name}.{line}.mlir", text)
            total += found.total
            wrong += len(found.wrong)
            unanswered += found.unanswered
            if found.wrong and show > 0:
                show -= 1
                print(f"{path}:{line + 1}: {found.wrong[:3]}")
    server.stop()
    print(f"definitions: {total} names, {wrong} read otherwise, {unanswered} without an answer of the server")
    return not wrong


def check_edits(files: list[Path], show: int) -> bool:
    """1,000 random edits on each of ten files, compared with reading from scratch as whole values."""
    del files, show
    for seed, name in enumerate(FILES):
        random_edits(SHARED / name, 1000, seed)
    print(f"edits: {1000 * len(FILES)} on {len(FILES)} files, none differs from reading from scratch")
    return True


def check_damage(files: list[Path], show: int) -> bool:
    """Five half-typed states of each of 200 files without problems."""
    chooser = random.Random(1)
    chooser.shuffle(files)
    read = states = lost = outside = 0
    for path in files:
        source = path.read_text(encoding="utf-8", errors="replace")
        document = Document(source)
        if document.tree.problems or read == 200:
            continue
        read += 1
        for _ in range(5):
            found = damage(document, half_typed(source, chooser))
            states += 1
            lost += bool(found.lost)
            outside += bool(found.outside)
            if show > 0 and (found.lost or found.outside):
                show -= 1
                print(f"{path}:{source.count(chr(10), 0, found.edit.span.start) + 1}: {found}")
    print(f"damage: {states} states of {read} files; in {lost} another function lost facts, ", end="")
    print(f"in {outside} a problem stood outside what was damaged")
    return not lost and not outside


def check_elsewhere(files: list[Path], show: int) -> bool:
    """Hover, definition and findings in other functions, in two half-typed states of each of 200 files."""
    chooser = random.Random(2)
    chooser.shuffle(files)
    read = states = answers = 0
    for path in files:
        source = path.read_text(encoding="utf-8", errors="replace")
        file = file_of(source)
        if file.tree.problems or read == 200:
            continue
        read += 1
        for _ in range(2):
            edit = half_typed(source, chooser)
            states += 1
            differing = elsewhere(file, edit, chooser)
            answers += bool(differing)
            if show > 0 and differing:
                show -= 1
                print(f"{path}:{source.count(chr(10), 0, edit.span.start) + 1}: {edit} {differing}")
    print(f"elsewhere: {states} states of {read} files; in {answers} something was answered otherwise elsewhere")
    return not answers


def check_mutations(files: list[Path], show: int) -> bool:
    """Single-character mutations of the programs in `cases`."""
    del files
    cases = random.Random(9).sample(sorted((SHARED / "cases").rglob("*.mlir")), 100)
    mutate([str(path) for path in cases], 20, show)
    return True


def check_mild(files: list[Path], show: int) -> bool:
    """Mutations that most programs survive, of the cases and of chunks of the corpus that mlir-opt accepts."""
    chooser = random.Random(5)
    texts = [path.read_text("utf-8") for path in chooser.sample(sorted((SHARED / "cases").rglob("*.mlir")), 100)]
    for path in chooser.sample(files, min(150, len(files))):
        text = chooser.choice(list(chunks(path.read_text(encoding="utf-8", errors="replace"))))[1]
        if run(text) is not None and not text.isspace():
            texts.append(text)
    accepted, false = false_problems(texts, 6)
    print(f"mild: {accepted} mutations that mlir-opt accepts, {len(false)} with a false problem")
    for line, message in false[:show]:
        print(f"  {message}\n      {line}")
    return not false


def main() -> int:
    """Run what is asked for; 0 when all of it holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("what", nargs="*")
    options = parser.parse_args()
    checks = {
        "ops": check_ops,
        "lines": check_lines,
        "definitions": check_definitions,
        "edits": check_edits,
        "damage": check_damage,
        "elsewhere": check_elsewhere,
        "mutations": check_mutations,
        "mild": check_mild,
    }
    names = [name for name in options.what if name in checks] or list(checks)
    files = corpus([name for name in options.what if name not in checks])
    results = [checks[name](files, options.show) for name in names]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
