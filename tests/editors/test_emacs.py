"""Emacs, in batch mode, with Eglot from a fresh profile and the configuration of docs/editors/emacs.md."""

from __future__ import annotations

import json
import re
import subprocess

import pytest
from editor_bench import Bench, documented, editor
from terminal_screen import Screen

from memlane.checking import check

# In batch mode nothing is idle and no hook connects, so the drivers say what a person's keys would cause.
START = r"""
(dolist (dir (append (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*")
                     (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa-src/*")))
  (add-to-list 'load-path dir))
(unless (locate-library client) (kill-emacs 3))
(load (expand-file-name "init.el") nil t)
(setq mlir-mode-hook nil)
(setq eglot-connect-timeout 300 lsp-response-timeout 300)  ; for slow machines
(with-eval-after-load 'jsonrpc (setq jsonrpc-default-request-timeout 300))
(defvar found nil)
(defun await (what condition)
  (let ((end (+ (float-time) 300)))
    (while (not (funcall condition))
      (when (> (float-time) end) (princ (format "no %s" what)) (kill-emacs 4))
      (accept-process-output nil 0.05))))
(defun note (key value) (push (cons key value) found))
(defun to-the-finding ()
  (goto-char (point-min))
  (search-forward "memref.al"))
(defun to-a-use ()
  (goto-char (point-min))
  (search-forward "%lost[")
  (backward-char 3))
(defun finish ()
  (note 'text-after (buffer-string))
  (princ (concat "RESULT " (json-encode found) "\n"))
  (kill-emacs 0))
(find-file "leaks.mlir")
"""

EGLOT = r"""
(cl-letf (((symbol-function 'y-or-n-p) (lambda (&rest _) t)))
  (apply #'eglot--connect (eglot--guess-contact)))
(await "connection" (lambda () (eglot-current-server)))
(eglot--maybe-activate-editing-mode)
(await "finding" (lambda () (flymake-start) (flymake-diagnostics)))
(let ((first (car (flymake-diagnostics))))
  (note 'line (line-number-at-pos (flymake-diagnostic-beg first)))
  (note 'text (flymake-diagnostic-text first)))
(to-the-finding)
(let ((place (car (flymake-diagnostics (point))))
      (last-nonmenu-event t))  ; by key, not by mouse
  (cl-letf (((symbol-function 'completing-read) (lambda (_ choices &rest _) (caar choices))))
    (eglot-code-actions (flymake-diagnostic-beg place) (flymake-diagnostic-end place) nil t)))
(eglot--signal-textDocument/didChange)
(await "end of it" (lambda () (flymake-start) (null (flymake-diagnostics))))
(to-a-use)
(let ((place (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))))
  (note 'definition (xref-location-line (xref-item-location place))))
(finish)
"""

LSP_MODE = r"""
(setq lsp-enable-file-watchers nil lsp-auto-guess-root t lsp-restart 'ignore)
(setq lsp-session-file (expand-file-name "session"))
(defun diagnostics () (gethash (buffer-file-name) (lsp-diagnostics)))
(lsp)
(await "finding" #'diagnostics)
(let ((first (car (diagnostics))))
  (note 'line (1+ (lsp:position-line (lsp:range-start (lsp:diagnostic-range first)))))
  (note 'text (lsp:diagnostic-message first)))
(to-the-finding)
(lsp-execute-code-action (car (append (lsp-code-actions-at-point) nil)))
(await "end of it" (lambda () (null (diagnostics))))
(to-a-use)
(let ((places (lsp-request "textDocument/definition" (lsp--text-document-position-params))))
  (note 'definition (1+ (lsp:position-line (lsp:range-start (lsp:location-range
    (if (lsp-location? places) places (elt places 0))))))))
(finish)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("client", "title", "driver"), [("eglot", "init.el", EGLOT), ("lsp-mode", "init.el, lsp-mode", LSP_MODE)]
)
def test_the_finding_is_shown_until_it_is_repaired(bench: Bench, client: str, title: str, driver: str) -> None:
    emacs = editor("emacs")
    bench.write("init.el", documented("emacs.md", title))
    bench.write("driver.el", f'(setq client "{client}")\n{START}{driver}')
    command = [emacs, "-Q", "--batch", "-l", "driver.el"]
    done = subprocess.run(
        command, cwd=bench.home, env=bench.environment, capture_output=True, text=True, timeout=600, check=False
    )
    if done.returncode == 3:
        pytest.skip(f"this Emacs has no {client}")
    assert done.returncode == 0, done.stdout + done.stderr
    [result] = re.findall(r"^RESULT (.*)$", done.stdout, re.MULTILINE)
    found = json.loads(result)
    assert "never freed" in found.pop("text")
    assert check(found.pop("text-after")).findings == ()
    assert found == {"line": 2, "definition": 2}


@pytest.mark.slow
def test_lsp_mode_starts_in_a_terminal_and_repairs(bench: Bench) -> None:
    emacs = editor("emacs")
    has = [emacs, "--batch", "--eval", '(kill-emacs (if (locate-library "lsp-mode") 0 3))']
    if subprocess.run(has, env=bench.environment, capture_output=True, check=False).returncode:
        pytest.skip("this Emacs has no lsp-mode")
    bench.write("init.el", documented("emacs.md", "init.el, lsp-mode"))
    screen = Screen([emacs, "-nw", "-q", "-l", "init.el", bench.program.name], bench)
    screen.until("Import project root")
    screen.send("i")
    screen.until("Connected to [memlane")
    screen.send("\x1bxgoto-line\r2\r")
    screen.until("Select code action:", again="\x1bxlsp-execute-code-action\r")  # not while it connects
    screen.send("Free\t")
    screen.until("Free %lost after its last use")
    screen.send("\r")
    screen.until("Applying 1 edits")
    screen.send("\x18\x13")
    screen.until("Wrote")
    screen.close()
    assert check(bench.program.read_text()).findings == ()
