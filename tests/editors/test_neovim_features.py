"""Neovim, headless: completion, definitions of locations, fixes and refactorings, files of TableGen."""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

import pytest
from editor_bench import documented, fresh
from test_neovim import neovim_version, started

PROGRAM = """\
#loc1 = loc("model.py":3:1)
func.func @moves(%x: f32, %out: memref<8xf32>) {
  %early = memref.alloc()
    : memref<8xf32>
  %sum = arith.addf %x, %x : f32
  linalg.fill ins(%sum : f32) outs(%early : memref<8xf32>)
  memref.copy %early, %out : memref<8xf32> to memref<8xf32> loc(#loc1)
  memref.dealloc %early : memref<8xf32>
  %lost = memref.alloc(
  )
    : memref<4xf32>
  return
}
"""
DRIVER = r"""
local answers = {}
local function fail(message) io.stderr:write(message .. "\n") vim.cmd("cquit!") end
local function await(what, condition)
  if not vim.wait(300000, condition, 20) then fail("no " .. what .. ": " .. vim.fn.execute("messages")) end
end
local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n") .. "\n" end
local function put(line, column) vim.api.nvim_win_set_cursor(0, { line, column }) end
local function ask(method, position)
  local params = { textDocument = vim.lsp.util.make_text_document_params(), position = position }
  for _, reply in pairs(vim.lsp.buf_request_sync(0, method, params, 300000)) do return reply.result end
end
local function choose(pattern)
  local titles = {}
  local done = false
  vim.ui.select = function(items, options, chosen)
    for number, item in ipairs(items) do
      titles[number] = options.format_item(item)
      if not done and pattern and titles[number]:find(pattern) then done = true chosen(item, number) end
    end
    if not done then done = true chosen(nil) end
  end
  vim.lsp.buf.code_action()
  await("actions", function() return done end)
  return titles
end
await("finding", function() return #vim.diagnostic.get(0) == 1 end)

local function at(line, words) put(line, vim.fn.getline(line):find(words, 1, true)) end
at(7, "#loc1")
vim.lsp.buf.definition()
await("alias", function() return vim.fn.line(".") == 1 end)
at(1, "model.py")
vim.lsp.buf.definition()
await("source", function() return vim.fn.expand("%:t") == "model.py" and vim.fn.line(".") == 3 end)
vim.cmd("edit " .. FILE)

put(8, 5)
answers.offered = choose(nil)
put(4, 6)  -- the second line of the allocation
choose("^Allocate %%early right before its first use")
await("move", function() return vim.fn.getline(3):find("arith.addf") end)
answers.moved = text()
put(10, 0)  -- a later line of the leaking allocation
answers.fixes = choose("^Free %%lost")
await("end of it", function() return #vim.diagnostic.get(0) == 0 end)
answers.freed = text()

local line = vim.fn.search("return") - 1
vim.api.nvim_buf_set_lines(0, line, line, true, { "  memref.dealloc %" })
local found = ask("textDocument/completion", { line = line, character = 18 })
answers.completed = vim.tbl_map(function(one) return { one.label, one.textEdit.newText } end, found.items or found)

local client = vim.lsp.get_clients and vim.lsp.get_clients()[1] or vim.lsp.get_active_clients()[1]
vim.cmd("edit! ops.td")
vim.bo.filetype = "tablegen"
vim.lsp.buf_attach_client(0, client.id)
answers.hover = ask("textDocument/hover", { line = 8, character = 4 }) or vim.NIL
answers.records = vim.diagnostic.get(0)
io.stdout:write("RESULT " .. vim.fn.json_encode(answers) .. "\n")
vim.cmd("qall!")
"""


@pytest.fixture(scope="module", name="answers", params=["system", "newer"])
def _answers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    bench = fresh(tmp_path_factory.mktemp("nvim"))
    nvim, environment = started(request.param, bench)
    old = neovim_version(nvim, environment) < (0, 11)
    bench.write("init.lua", documented("neovim.md", f"init.lua, {'0.7' if old else '0.11'} and later"))
    bench.write("features.mlir", PROGRAM)
    bench.write("ops.td", PROGRAM)
    bench.write("memlane.toml", "")
    bench.write("model.py", "import torch\n\ndef step(): ...\n")
    driver = bench.write("driver.lua", f'FILE = "features.mlir"\n{DRIVER}')
    command = [*nvim, "--headless", "-u", "init.lua", "features.mlir", "-c", f"luafile {driver}"]
    done = subprocess.run(
        command, cwd=bench.home, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    [result] = re.findall(r"^RESULT (.*)$", done.stdout, re.MULTILINE)
    return json.loads(result)


@pytest.mark.slow
def test_refactorings_are_offered_at_the_deallocation_and_done_at_a_later_line(answers: dict[str, Any]) -> None:
    assert "Allocate %early right before its first use" in answers["offered"]
    assert "Put %early on the stack" in answers["offered"]
    moved = "  %early = memref.alloc()\n    : memref<8xf32>\n  linalg.fill"
    assert moved in answers["moved"]


@pytest.mark.slow
def test_a_leak_is_repaired_from_a_later_line_of_its_statement(answers: dict[str, Any]) -> None:
    assert "Turn leak off in memlane.toml" in answers["fixes"]
    assert "Memlane: explain leak" in answers["fixes"]
    assert "  memref.dealloc %lost : memref<4xf32>\n  return\n" in answers["freed"]


@pytest.mark.slow
def test_values_of_the_right_type_come_first_with_their_type(answers: dict[str, Any]) -> None:
    labels = [label for label, _ in answers["completed"]]
    assert set(labels[:3]) == {"%lost", "%early", "%out"}
    assert set(labels[3:]) >= {"%sum", "%x"}
    assert dict(answers["completed"])["%lost"] == "%lost : memref<4xf32>"


@pytest.mark.slow
def test_nothing_is_said_of_tablegen(answers: dict[str, Any]) -> None:
    assert answers["hover"] is None
    assert answers["records"] == []
