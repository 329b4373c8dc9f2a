"""`lsp/memlane.lua`, and what docs/editors/neovim.md says about it, in a headless Neovim."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from editor_bench import DOCS, Bench, documented, editor

REPOSITORY = Path(__file__).parents[2]
WAIT = r"""
if not vim.wait(300000, function() return #vim.diagnostic.get(0) > 0 end, 20) then
  io.stderr:write("no finding: " .. vim.fn.execute("messages"))
  vim.cmd("cquit!")
end
io.stdout:write("RESULT " .. vim.fn.json_encode(vim.diagnostic.get(0)) .. "\n")
vim.cmd("qall!")
"""


def lua(bench: Bench, program: str, *arguments: str) -> str:
    """What Neovim prints that runs `program` when it has started with `arguments`."""
    driver = bench.write("driver.lua", program)
    command = [editor("nvim"), "--headless", *arguments, "-c", f"luafile {driver}"]
    done = subprocess.run(
        command, cwd=bench.home, env=bench.environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_table_starts_a_client(bench: Bench) -> None:
    (bench.home / "memlane" / "lsp").mkdir(parents=True)
    (bench.home / "memlane" / "lsp" / "memlane.lua").write_bytes((REPOSITORY / "lsp" / "memlane.lua").read_bytes())
    bench.write("init.lua", documented("neovim.md", "init.lua, with lsp/memlane.lua"))
    shown = lua(bench, WAIT, "-u", "init.lua", bench.program.name)
    [result] = re.findall(r"^RESULT (.*)$", shown, re.MULTILINE)
    [found] = json.loads(result)
    assert (found["source"], found["code"], found["lnum"]) == ("memlane", "leak", 1)


def test_the_page_and_the_table_say_the_same(bench: Bench) -> None:
    program = f"""
local configs = {{}}
vim.lsp.config = setmetatable({{}}, {{ __call = function(_, name, config) configs[name] = config end }})
vim.lsp.enable = function() end
vim.lsp.inlay_hint = {{ enable = function() end }}
vim.filetype = {{ add = function() end }}
{documented("neovim.md", "init.lua, 0.11 and later")}
local file = dofile({str(REPOSITORY / "lsp" / "memlane.lua")!r})
assert(vim.deep_equal(configs.memlane.cmd, file.cmd), "cmd")
assert(vim.deep_equal(configs.memlane.filetypes, file.filetypes), "filetypes")
io.stdout:write("SAME\\n")
vim.cmd("qall!")
"""
    assert "SAME" in lua(bench, program, "-u", "NONE")


def test_every_other_block_of_the_page_is_lua(bench: Bench) -> None:
    blocks = re.findall(r"^```lua[^\n]*\n(.*?)^```$", (DOCS / "neovim.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 4
    for block in blocks:
        path = bench.write("block.lua", block)
        shown = lua(
            bench, f"assert(loadfile({str(path)!r})); io.stdout:write('READ\\n'); vim.cmd('qall!')", "-u", "NONE"
        )
        assert "READ" in shown
