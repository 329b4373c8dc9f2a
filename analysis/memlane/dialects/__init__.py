"""What operations do to memory, as data: the models of the shipped dialects and of a user's own."""

from memlane.dialects.catalogue import builtin_models
from memlane.dialects.load import load_models
from memlane.dialects.select import is_token, read_uses, select, successor_uses

__all__ = ["builtin_models", "is_token", "load_models", "read_uses", "select", "successor_uses"]
