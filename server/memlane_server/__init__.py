"""The language server: a shell around `memlane` that speaks LSP. All analysis is in `memlane`; all LSP is here."""
