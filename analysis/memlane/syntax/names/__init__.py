"""Names to definitions: scopes, blocks, dominance."""
