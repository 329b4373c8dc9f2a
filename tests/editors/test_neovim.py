"""Neovim, headless, from a fresh profile with the configuration of docs/editors/neovim.md and nothing else."""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

import pytest
from editor_bench import TREE, Bench, documented, editor, newer

from memlane.checking import check

DRIVER = r"""
local function fail(message) io.stderr:write(message .. "\n") vim.cmd("cquit!") end
local function findings() return vim.diagnostic.get(0) end
local function await(what, condition)
  if not vim.wait(300000, condition, 20) then fail("no " .. what .. ": " .. vim.fn.execute("messages")) end
end
await("finding", function() return #findings() > 0 end)
local first = findings()
local function ask(method)
  local position = { line = 4, character = 24 }  -- in %lost of the store
  local params = { textDocument = vim.lsp.util.make_text_document_params(), position = position }
  for _, reply in pairs(vim.lsp.buf_request_sync(0, method, params, 300000)) do return reply.result end
end
local answers = {
  found = first,
  hover = ask("textDocument/hover").contents.value,
  definition = ask("textDocument/definition").range.start.line,
}
if vim.lsp.inlay_hint then
  local function hints()
    return vim.tbl_map(function(one) return one.inlay_hint.label end, vim.lsp.inlay_hint.get({ bufnr = 0 }))
  end
  await("hint", function() return vim.tbl_contains(hints(), "4*%n B, never freed") end)  -- the first may say less
  answers.hints = hints()
end
vim.ui.select = function(items, _, choose) choose(items[1], 1) end
vim.api.nvim_win_set_cursor(0, { 2, 12 })
vim.lsp.buf.code_action()
await("end of it", function() return #findings() == 0 end)
answers.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n") .. "\n"
io.stdout:write("RESULT " .. vim.fn.json_encode(answers) .. "\n")
vim.cmd("qall!")
"""


def started(which: str, bench: Bench) -> tuple[list[str], dict[str, str]]:
    """How to start Neovim, and with what environment."""
    if which == "system":
        return [editor("nvim")], bench.environment
    share, lib = TREE / "usr" / "share", next(TREE.glob("usr/lib/*-linux-gnu"), TREE)
    paths = {
        "VIMRUNTIME": str(share / "nvim" / "runtime"),
        "LUA_PATH": f"{share}/lua/5.1/?.lua;{share}/lua/5.1/?/init.lua;;",
        "LUA_CPATH": f"{lib}/lua/5.1/?.so;;",
    }
    return [*newer("nvim"), "--cmd", f"set rtp+={TREE}/usr/lib/nvim"], {**bench.environment, **paths}


def neovim_version(command: list[str], environment: dict[str, str]) -> tuple[int, int]:
    """Major and minor version."""
    done = subprocess.run([*command, "--version"], env=environment, capture_output=True, text=True, check=True)
    found = re.search(r"NVIM v(\d+)\.(\d+)", done.stdout)
    assert found, done.stdout
    return int(found[1]), int(found[2])


@pytest.mark.slow
@pytest.mark.parametrize("which", ["system", "newer"])
def test_a_leaking_file_shows_its_finding_until_it_is_repaired(bench: Bench, which: str) -> None:
    nvim, environment = started(which, bench)
    version = neovim_version(nvim, environment)
    title = "init.lua, 0.11 and later" if version >= (0, 11) else "init.lua, 0.7 and later"
    configuration = documented("neovim.md", title)
    assert len(configuration.splitlines()) <= 10
    bench.write("init.lua", configuration)
    driver = bench.write("driver.lua", DRIVER)
    command = [*nvim, "--headless", "-u", "init.lua", bench.program.name, "-c", f"luafile {driver}"]
    done = subprocess.run(
        command, cwd=bench.home, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    [result] = re.findall(r"^RESULT (.*)$", done.stdout, re.MULTILINE)
    answers: dict[str, Any] = json.loads(result)
    [found] = answers["found"]
    assert (found["source"], found["code"], found["lnum"]) == ("memlane", "leak", 1)
    assert "memref.dealloc %lost : memref<?xf32>" in answers["text"]
    assert check(answers["text"]).findings == ()
    assert answers["definition"] == 1
    assert "4*%n bytes" in answers["hover"]
    if version >= (0, 10):
        assert "4*%n B, never freed" in answers["hints"]
