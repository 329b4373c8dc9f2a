"""A test suite that checks memory: `lit integrations/lit`. Between the lines: for yours (docs/guides/ci.md)."""

import os
import shutil
from typing import Any

import lit.formats

config: Any  # given by lit

config.name = "memory"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.environ["PATH"]

# --- for your own lit.cfg.py ------------------------------------------------------------------------------------------
config.substitutions.append(("%memlane", "memlane check --no-cache --isolated --quiet --output-format concise"))
if shutil.which("memlane"):
    config.available_features.add("memlane")
# ----------------------------------------------------------------------------------------------------------------------

# LLVM installed from packages of a distribution carries its version in the names of its tools.
for tool in ("mlir-opt", "FileCheck", "not"):
    path = shutil.which(tool) or shutil.which(f"{tool}-22")
    if path:
        config.substitutions.append((rf"\b(?<![-/]){tool}\b(?![-.])", path))
        config.available_features.add(tool)
