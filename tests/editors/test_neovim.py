"""Neovim, headless, from a fresh profile with the configuration of docs/editors/neovim.md and nothing else."""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

from bench import Bench, documented, editor

DRIVER = r"""
local function fail(message) io.stderr:write(message .. "\n") vim.cmd("cquit!") end
local function findings() return vim.diagnostic.get(0) end
local function await(what, condition)
  if not vim.wait(20000, condition, 20) then fail("no " .. what .. ": " .. vim.fn.execute("messages")) end
end
await("finding", function() return #findings() > 0 end)
local first = findings()
vim.api.nvim_buf_set_lines(0, 5, 5, true, { "  memref.dealloc %lost : memref<?xf32>" })
await("end of it", function() return #findings() == 0 end)
io.stdout:write("RESULT " .. vim.fn.json_encode(first) .. "\n")
vim.cmd("qall!")
"""


def neovim_version(path: str) -> tuple[int, int]:
    """Major and minor version."""
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"NVIM v(\d+)\.(\d+)", said)
    assert found, said
    return int(found[1]), int(found[2])


def test_a_leaking_file_shows_its_finding_until_it_is_repaired(bench: Bench) -> None:
    nvim = editor("nvim")
    title = "init.lua, 0.11 and later" if neovim_version(nvim) >= (0, 11) else "init.lua, 0.7 and later"
    configuration = documented("neovim.md", title)
    assert len(configuration.splitlines()) <= 10
    bench.write("init.lua", configuration)
    driver = bench.write("driver.lua", DRIVER)
    command = [nvim, "--headless", "-u", "init.lua", bench.program.name, "-c", f"luafile {driver}"]
    done = subprocess.run(
        command, cwd=bench.home, env=bench.environment, capture_output=True, text=True, timeout=90, check=False
    )
    assert done.returncode == 0, done.stderr
    [result] = re.findall(r"^RESULT (.*)$", done.stdout, re.MULTILINE)
    found: dict[str, Any] = json.loads(result)[0]
    assert (found["source"], found["code"], found["lnum"]) == ("memlane", "leak", 1)
