"""Vim with ALE, in silent mode, with the configuration of docs/editors/vim.md."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from editor_bench import Bench, documented, editor

from memlane.checking import check

PLUGINS = [Path("/usr/share/vim-ale"), Path("/usr/share/vim/vimfiles"), Path.home() / ".vim"]

DRIVER = r"""
function! Await(what, Condition)
  let l:left = 6000
  while !a:Condition() && l:left > 0
    sleep 50m
    let l:left -= 1
  endwhile
  if l:left == 0
    call writefile(['no ' . a:what, execute('messages')], 'result')
    cquit
  endif
endfunction
edit leaks.mlir
call ale#Queue(0, 'lint_file')
call Await('finding', {-> len(ale#engine#GetLoclist(bufnr(''))) > 0})
let s:first = ale#engine#GetLoclist(bufnr(''))[0]
runtime autoload/ale/util.vim
function! ale#util#Input(message, ...) abort
  let g:offered = a:message
  return '1'
endfunction
call cursor(2, 12)
ALECodeAction
call Await('repair', {-> search('dealloc', 'nw') > 0})
call ale#Queue(0)
call Await('end of it', {-> len(ale#engine#GetLoclist(bufnr(''))) == 0})
let s:found = {'line': s:first.lnum, 'code': s:first.code, 'text': s:first.text}
let s:after = {'offered': g:offered, 'after': join(getline(1, '$'), "\n") . "\n"}
call writefile([json_encode(extend(s:found, s:after))], 'result')
qall!
"""


def ale() -> Path:
    """The folder of the plugin; the test is skipped where there is none."""
    for root in PLUGINS:
        for found in root.glob("**/plugin/ale.vim"):
            return found.parents[1]
    pytest.skip("ALE is not installed (apt: vim-ale)")


@pytest.mark.slow
def test_ale_shows_the_finding_until_it_is_repaired(bench: Bench) -> None:
    vim, plugin = editor("vim"), ale()
    configuration = f"set nocompatible runtimepath^={plugin}\nfiletype on\n{documented('vim.md', 'vimrc')}"
    bench.write("vimrc", configuration)
    driver = bench.write("driver.vim", DRIVER)
    command = [vim, "-N", "-u", "vimrc", "-i", "NONE", "-es", "-S", str(driver)]
    done = subprocess.run(
        command, cwd=bench.home, env=bench.environment, capture_output=True, text=True, timeout=600, check=False
    )
    result = bench.home / "result"
    assert result.exists(), done.stdout + done.stderr
    assert done.returncode == 0, result.read_text()
    found = json.loads(result.read_text())
    assert (found["line"], found["code"]) == (2, "leak")
    assert "never freed" in found["text"]
    assert "Free %lost" in found["offered"]
    assert "memref.dealloc %lost : memref<?xf32>" in found["after"]
    assert check(found["after"]).findings == ()
