"""Configuration files: what they mean, and that everything wrong in them is said with file, line and choices."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.config import Config, find_config, load_config
from memlane.dialects.problem import DataProblem
from memlane.findings import Rule, Severity

LATE = Rule("late-free", Severity.WARNING, "")
MAYBE = Rule("possible-leak", Severity.WARNING, "")
OFF = Rule("dealloc-pass-blocker", Severity.OFF, "")


@pytest.fixture(autouse=True)
def rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """The names a file may use do not depend on which rules exist today."""
    monkeypatch.setattr("memlane.config.options._rule_names", lambda: (LATE.name, MAYBE.name, OFF.name, "leak"))


def load(folder: Path, text: str, name: str = "memlane.toml") -> tuple[Config, tuple[DataProblem, ...]]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return load_config(path)


def clean(folder: Path, text: str) -> Config:
    config, problems = load(folder, text)
    assert not problems, [str(problem) for problem in problems]
    return config


def only_problem(folder: Path, text: str) -> DataProblem:
    _, problems = load(folder, text)
    assert len(problems) == 1, [str(problem) for problem in problems]
    return problems[0]


def test_defaults() -> None:
    config = Config()
    assert config.severity(LATE) is Severity.WARNING
    assert config.severity(OFF) is Severity.OFF
    assert config.values["limits.stack-promotion"] == 1024
    assert config == load_config(None)[0] or config.values == load_config(None)[0].values


def test_severities_by_name_win_over_patterns(tmp_path: Path) -> None:
    config = clean(
        tmp_path, '[severity]\n"possible-*" = "hint"\npossible-leak = "error"\n"dealloc-*" = "information"\n'
    )
    assert config.severity(MAYBE) is Severity.ERROR
    assert config.severity(OFF) is Severity.INFORMATION
    assert config.severity(LATE) is Severity.WARNING


@pytest.mark.parametrize(
    ("text", "late", "maybe"),
    [
        ('select = ["late-free"]', True, False),
        ('ignore = ["ALL"]', False, False),
        ('ignore = ["ALL"]\nselect = ["possible-*"]', False, True),
        ('select = ["possible-*"]\nignore = ["possible-leak"]', False, False),
        ('select = ["leak"]\nextend-select = ["late-free"]', True, False),
        ('extend-ignore = ["late-*"]', False, True),
    ],
)
def test_the_more_specific_of_select_and_ignore_wins(tmp_path: Path, text: str, late: bool, maybe: bool) -> None:
    config = clean(tmp_path, text)
    assert (config.severity(LATE) is not Severity.OFF) == late
    assert (config.severity(MAYBE) is not Severity.OFF) == maybe


def test_a_rule_that_is_off_by_default_is_on_when_named(tmp_path: Path) -> None:
    assert clean(tmp_path, 'extend-select = ["dealloc-pass-blocker"]').severity(OFF) is Severity.HINT


def test_per_file_ignores(tmp_path: Path) -> None:
    config = clean(tmp_path, '[per-file-ignores]\n"generated/*" = ["late-free"]\n')
    assert config.for_file(tmp_path / "generated" / "a.mlir").severity(LATE) is Severity.OFF
    assert config.for_file(tmp_path / "src" / "a.mlir").severity(LATE) is Severity.WARNING


@pytest.mark.parametrize(
    ("written", "number"), [("64", 64), ('"64"', 64), ('"64 KiB"', 65536), ('"1.5MiB"', 1572864), ('"2 GB"', 2 * 10**9)]
)
def test_bytes(tmp_path: Path, written: str, number: int) -> None:
    config = clean(tmp_path, f"[budget]\ndefault = {written}\n1 = 8\n")
    assert (config.budget(""), config.budget("1"), config.budget("2")) == (number, 8, None)


def test_the_nearest_file_wins(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "memlane.toml").write_text("")
    assert find_config(inner / "x.mlir") == tmp_path / "memlane.toml"
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.ruff]\n")
    assert find_config(inner) == tmp_path / "memlane.toml"
    (tmp_path / "a" / "pyproject.toml").write_text('[tool.memlane]\nselect = ["leak"]\n')
    assert find_config(inner) == tmp_path / "a" / "pyproject.toml"
    (tmp_path / "a" / ".memlane.toml").write_text("")
    assert find_config(inner) == tmp_path / "a" / ".memlane.toml"


@pytest.mark.parametrize("text", ["[tool.memlane]\nx = [\n", "[tool.memlane\n", "[tool]\nmemlane = 3\n"])
def test_a_pyproject_that_is_wrong_is_not_passed_over(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert find_config(tmp_path) == tmp_path / "pyproject.toml"
    assert load_config(tmp_path / "pyproject.toml")[1]


@pytest.mark.parametrize("text", ["tool = 3  # tool.memlane\n", "[other\n# tool.memlane\n", "[tool]\nx = 'memlane'\n"])
def test_a_pyproject_that_says_nothing_to_memlane_is_passed_over(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert find_config(tmp_path) != tmp_path / "pyproject.toml"


def test_pyproject(tmp_path: Path) -> None:
    text = '[project]\nname = "x"\n[tool.memlane]\nselect = ["leak"]\n[tool.memlane.op."my.alloc"]\nalloc = [{}]\n'
    config, problems = load(tmp_path, text, "pyproject.toml")
    assert not problems
    assert config.severity(LATE) is Severity.OFF
    assert config.models.of("my.alloc") is not None
    _, problems = load(tmp_path, '[tool.memlane]\nslect = ["leak"]\n', "pyproject.toml")
    assert [(problem.line, problem.where) for problem in problems] == [(2, "tool.memlane.slect")]


def test_extend_adds_and_replaces(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('ignore = ["leak"]\nextend-ignore = ["late-free"]\n[severity]\nleak = "hint"\n')
    config = clean(tmp_path, 'extend = "base.toml"\nignore = []\nextend-ignore = ["leak"]\n')
    assert config.values["ignore"] == ()
    assert config.values["extend-ignore"] == ("late-free", "leak")
    assert config.values["severity"] == {"leak": Severity.HINT}
    assert [file.name for file in config.files] == ["base.toml", "memlane.toml"]
    assert config.origins["severity"] == f"{tmp_path / 'base.toml'}:3"
    assert config.origins["ignore"] == f"{tmp_path / 'memlane.toml'}:2"


def test_extending_in_a_circle_is_a_problem(tmp_path: Path) -> None:
    problem = only_problem(tmp_path, '\nextend = "memlane.toml"')
    assert problem.line == 2
    assert "extends itself" in problem.message


def test_a_missing_file_is_a_problem_where_it_is_named(tmp_path: Path) -> None:
    problem = only_problem(tmp_path, '\n\nextend = "none.toml"')
    assert problem.line == 3
    assert "cannot read" in problem.message


def test_overrides_are_stronger_than_the_file(tmp_path: Path) -> None:
    path = tmp_path / "memlane.toml"
    path.write_text('[limits]\nalloc = "1 KiB"\n')
    config, problems = load_config(path, ['limits.alloc = "2 KiB"', 'severity.leak = "off"'])
    assert not problems
    assert config.values["limits.alloc"] == 2048
    assert config.origins["limits.alloc"] == "command line:1"
    assert load_config(path, ["limits.aloc = 1"])[1][0].file == "command line"


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("limits.alloc=1 GiB", 'limits.alloc=1 GiB: not TOML; write a text in quotes: limits.alloc="1 GiB"'),
        ("severity.leak = error", 'severity.leak = error: not TOML; write a text in quotes: severity.leak="error"'),
        ("select=[", "select=[: not TOML"),
    ],
)
def test_an_override_that_lost_its_quotes(override: str, message: str) -> None:
    (problem,) = load_config(None, [override])[1]
    assert (problem.file, problem.message) == ("command line", message)


@pytest.mark.parametrize(
    ("text", "line", "where", "part", "choice"),
    [
        ('\nselekt = ["leak"]', 2, "selekt", "did you mean `select`", "ignore"),
        ('select = ["late-fre"]', 1, "select", "did you mean `late-free`", "possible-leak"),
        ('[severity]\nleak = "fatal"', 2, "severity", "unknown severity `fatal`", "warning"),
        ("[limits]\n\nalloc = -1", 3, "limits.alloc", "expected bytes", '"64 KiB"'),
        ("[limits]\nallok = 1", 2, "limits.allok", "unknown key", "alloc"),
        ("[assume]\ndynamic-size = true", 2, "assume.dynamic-size", "expected integer", ""),
        ('select = "leak"', 1, "select", "expected list", '["leak"]'),
        ("a = [", 1, "", "not TOML", ""),
    ],
)
def test_mistakes(tmp_path: Path, text: str, line: int, where: str, part: str, choice: str) -> None:
    problem = only_problem(tmp_path, text)
    assert (problem.file, problem.line) == (str(tmp_path / "memlane.toml"), line)
    assert problem.where.startswith(where)
    assert part in problem.message
    assert not choice or choice in problem.choices


def test_what_is_right_still_counts_beside_a_mistake(tmp_path: Path) -> None:
    config, problems = load(tmp_path, 'select = 3\nignore = ["leak"]\n[op."my.alloc"]\nalloc = [{}]\n')
    assert len(problems) == 1
    assert config.values["ignore"] == ("leak",)
    assert config.models.of("my.alloc") is not None


def test_every_mistake_of_a_table_is_told_and_the_rest_of_it_counts(tmp_path: Path) -> None:
    config, problems = load(
        tmp_path,
        'select = ["leek", "leak", "lake"]\n[severity]\nleak = "eror"\n"late*" = "hint"\nlatefree = "hint"\n'
        '[budget]\n1 = "64 apples"\n2 = "1 KiB"\n3 = -1\n[per-file-ignores]\n"a" = 1\n"b" = ["laek", "leak"]\n',
    )
    assert sorted(problem.line for problem in problems) == [1, 1, 3, 5, 7, 9, 11, 12]
    assert config.values["select"] == ("leak",)
    assert config.values["severity"] == {"late*": Severity.HINT}
    assert config.values["budget"] == {"2": 1024}
    assert config.values["per-file-ignores"] == {"b": ("leak",)}


def test_a_list_with_nothing_right_in_it_leaves_the_default(tmp_path: Path) -> None:
    config, problems = load(tmp_path, 'select = ["leek"]\n')
    assert len(problems) == 1
    assert config.values["select"] == ("ALL",)
    assert load(tmp_path, "select = []\n")[0].values["select"] == ()


def test_own_resources_must_be_declared(tmp_path: Path) -> None:
    op = '[op."npu.take"]\nalloc = [{ resource = "npu_pool" }]\n'
    problem = only_problem(tmp_path, op)
    assert problem.line == 2
    assert "npu_pool" in problem.message
    assert "heap" in problem.choices
    config = clean(tmp_path, op + '[resource.npu_pool]\nalloc = "npu.take"\nfree = "npu.give"\n')
    assert config.models.resources["npu_pool"].free == "npu.give"


def test_models_from_another_file(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text('[op."my.free"]\nfree = [{ operand = 0 }]\n[op."my.x"]\nfree = 3\n')
    config, problems = load(tmp_path, 'models = ["my.toml", "no.toml"]\n')
    places = sorted((Path(problem.file).name, problem.line) for problem in problems)
    assert places == [("memlane.toml", 1), ("my.toml", 4)]
    model = config.models.of("my.free")
    assert model is not None
    assert model.free


def test_configurations_compare_without_loading_dialects(tmp_path: Path) -> None:
    text = '[op."my.alloc"]\nalloc = [{}]\n'
    assert clean(tmp_path, text) == clean(tmp_path, text)
    assert clean(tmp_path, text) != clean(tmp_path, text.replace("[{}]", "[{ result = 1 }]"))


def test_what_is_nested_without_end_is_told(tmp_path: Path) -> None:
    assert only_problem(tmp_path, f"x = {'[' * 5000}{']' * 5000}\n").message == "is nested too deeply"


def test_keys_of_very_many_parts(tmp_path: Path) -> None:
    """Reading one would be quadratic work. Dots in texts and comments are no parts."""
    for part in ("a", '"a"', "'a'"):
        problem = only_problem(tmp_path, "\n" + f"{part}." * 100_000 + "b = 1\n")
        assert (problem.line, problem.message) == (2, "a key has too many parts")
    dots = "." * 100_000
    config, problems = load(tmp_path, f"""# {dots}\nexclude = ["{dots}", '{dots}'] # {dots}\n""")
    assert problems == () and config.values["exclude"] == (dots, dots)


def test_sizes_that_are_no_numbers_are_told(tmp_path: Path) -> None:
    assert "expected bytes" in only_problem(tmp_path, f'limits.alloc = "{"9" * 5000} KiB"\n').message


@pytest.mark.parametrize(
    ("toml", "where", "part", "choice"),
    [
        ('[op."my.add"]\ncompute = "plus"', 'op."my.add".compute', "unknown function of arith `plus`", "addi"),
        ('[function."@take"]\nread = [0]', 'function."@take"', "[function.take]", ""),
        (
            '[resource.pool]\nfree = "my.giv"\n[op."my.give"]\nfree = [{ resource = "pool" }]',
            "resource.pool.free",
            "did you mean `my.give`?",
            "my.give",
        ),
    ],
)
def test_names_that_mean_nothing(tmp_path: Path, toml: str, where: str, part: str, choice: str) -> None:
    path = tmp_path / "memlane.toml"
    path.write_text(toml)
    _, (problem,) = load_config(path)
    assert problem.where == where and part in problem.message
    assert not choice or choice in problem.choices
