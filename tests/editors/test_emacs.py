"""Emacs, in batch mode, with Eglot from a fresh profile and the configuration of docs/editors/emacs.md."""

from __future__ import annotations

import json
import re
import subprocess

import pytest
from bench import Bench, documented, editor

# In batch mode nothing is idle and no hook connects, so the driver says what a person's keys would cause.
DRIVER = r"""
(setq package-user-dir (expand-file-name "elpa" "~"))
(dolist (dir (append (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*")
                     (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa-src/*")))
  (add-to-list 'load-path dir))
(unless (locate-library "eglot") (princ "NO EGLOT") (kill-emacs 3))
(load (expand-file-name "init.el") nil t)
(defun await (what condition)
  (let ((end (+ (float-time) 30)))
    (while (not (funcall condition))
      (when (> (float-time) end) (princ (format "no %s" what)) (kill-emacs 4))
      (accept-process-output nil 0.05))))
(remove-hook 'mlir-mode-hook #'eglot-ensure)
(find-file "leaks.mlir")
(defvar found nil)
(cl-letf (((symbol-function 'y-or-n-p) (lambda (&rest _) t)))
  (apply #'eglot--connect (eglot--guess-contact)))
(await "connection" (lambda () (eglot-current-server)))
(eglot--maybe-activate-editing-mode)
(flymake-start)
(await "finding" (lambda () (flymake-start) (flymake-diagnostics)))
(dolist (one (flymake-diagnostics))
  (push (list (cons 'line (line-number-at-pos (flymake-diagnostic-beg one)))
              (cons 'text (flymake-diagnostic-text one)))
        found))
(goto-char (point-min))
(search-forward "  return")
(beginning-of-line)
(insert "  memref.dealloc %lost : memref<?xf32>\n")
(eglot--signal-textDocument/didChange)
(await "end of it" (lambda () (flymake-start) (null (flymake-diagnostics))))
(goto-char (point-min))
(search-forward "%lost[")
(backward-char 3)
(let ((place (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))))
  (push (list (cons 'definition (xref-location-line (xref-item-location place)))) found))
(princ (concat "RESULT " (json-encode (nreverse found)) "\n"))
(kill-emacs 0)
"""


def test_eglot_shows_the_finding_until_it_is_repaired(bench: Bench) -> None:
    emacs = editor("emacs")
    bench.write("init.el", documented("emacs.md", "init.el"))
    bench.write("driver.el", DRIVER)
    command = [emacs, "-Q", "--batch", "-l", "driver.el"]
    done = subprocess.run(
        command, cwd=bench.home, env=bench.environment, capture_output=True, text=True, timeout=120, check=False
    )
    if done.returncode == 3:
        pytest.skip("this Emacs has no Eglot")
    assert done.returncode == 0, done.stdout + done.stderr
    [result] = re.findall(r"^RESULT (.*)$", done.stdout, re.MULTILINE)
    finding, definition = json.loads(result)
    assert finding["line"] == 2
    assert "never freed" in finding["text"]
    assert definition == {"definition": 2}
