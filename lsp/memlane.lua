-- Memlane for Neovim. With 0.11 and later: copy this to ~/.config/nvim/lsp/memlane.lua (or put the repository on the
-- runtimepath), and say `vim.lsp.enable("memlane")`. It is a table, so older versions can use it as well:
-- docs/editors/neovim.md says how.

---@type vim.lsp.Config
return {
  name = "memlane",
  cmd = { "memlane", "server" },
  filetypes = { "mlir" },
  root_markers = { "memlane.toml", ".memlane.toml", "pyproject.toml", ".git" },
  -- What can be set: https://memlane.readthedocs.io/en/latest/protocol/
  settings = { memlane = {} },
}
