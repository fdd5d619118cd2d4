vim.bo.autoindent = true
vim.bo.indentexpr = "v:lua.require'iterion'.indent(v:lnum)"
vim.bo.indentkeys = 'o,O,!^F'
vim.b.undo_indent = 'setlocal autoindent< indentexpr< indentkeys<'
