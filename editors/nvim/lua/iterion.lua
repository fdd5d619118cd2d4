-- Neovim's side of .bot files: the language server's client, the colours and
-- the indentation. It needs Neovim 0.7 or later and no plugin.

local M = {}

-- Files that mark the folder of a unit or of a project, the nearest first.
local markers = { 'manifest.yaml', 'main.bot', '.git' }

-- root returns the nearest folder above a file that holds a marker; without
-- one, the file's own folder.
local function root(file)
  local first = vim.fn.fnamemodify(file, ':p:h')
  local dir = first
  while true do
    for _, marker in ipairs(markers) do
      if vim.loop.fs_stat(dir .. '/' .. marker) then
        return dir
      end
    end
    local parent = vim.fn.fnamemodify(dir, ':h')
    if parent == dir then
      return first
    end
    dir = parent
  end
end

-- The client of each root.
local clients = {}

local function start(cmd, bufnr)
  local file = vim.api.nvim_buf_get_name(bufnr)
  if file == '' then
    return
  end
  local dir = root(file)
  if not clients[dir] then
    clients[dir] = vim.lsp.start_client({
      name = 'iterion',
      cmd = cmd,
      root_dir = dir,
      workspace_folders = { { uri = vim.uri_from_fname(dir), name = dir } },
      on_exit = function()
        clients[dir] = nil
      end,
    })
  end
  if clients[dir] then
    vim.lsp.buf_attach_client(bufnr, clients[dir])
  end
end

-- setup starts the language server for every .bot file that is opened.
-- options.cmd is its command, by default { 'iterion', 'lsp' }.
function M.setup(options)
  local cmd = options and options.cmd or { 'iterion', 'lsp' }
  local group = vim.api.nvim_create_augroup('iterion', { clear = true })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = 'bot',
    callback = function(event)
      start(cmd, event.buf)
    end,
  })
end

-- highlight colours a buffer by the tree-sitter grammar, if its parser has been
-- built; without it the buffer stays plain.
function M.highlight(bufnr)
  if #vim.api.nvim_get_runtime_file('parser/bot.so', false) == 0 then
    return
  end
  if vim.treesitter.start then
    vim.treesitter.start(bufnr, 'bot')
  else
    vim.treesitter.highlighter.new(vim.treesitter.get_parser(bufnr, 'bot'))
  end
end

-- indent is the indentation of a line: that of the line of code above it, a
-- level more behind what opens a block.
function M.indent(line)
  local above = vim.fn.prevnonblank(line - 1)
  if above == 0 then
    return 0
  end
  local text = vim.fn.getline(above):gsub('%s+#.*$', '')
  local opens = text:find('[:|{]%s*$') and 1 or 0
  return vim.fn.indent(above) + opens * vim.fn.shiftwidth()
end

return M
