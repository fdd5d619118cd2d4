-- The configuration of the test: the runtime folder of the project, and a
-- server that says how it ended.
vim.opt.runtimepath:prepend(vim.env.ITERION_NVIM)
vim.opt.runtimepath:prepend(vim.env.ITERION_PARSER)
vim.opt.swapfile = false
vim.cmd('filetype plugin indent on')
require('iterion').setup({ cmd = { 'sh', '-c', 'iterion lsp; echo $? >&4' } })
