-- What a person does in Neovim. Each step waits for what it has brought about;
-- the limit of a wait is only there for a test that fails.

local limit = 30000
local said = {}

local function note(...)
  local words = {}
  for _, word in ipairs({ ... }) do
    table.insert(words, type(word) == 'string' and word or vim.inspect(word))
  end
  table.insert(said, table.concat(words, ' '))
end

local function await(what, condition)
  if not vim.wait(limit, condition, 10) then
    error('waited in vain for ' .. what)
  end
end

-- findings are the diagnostics of a buffer, LINE:COLUMN CODE each, sorted.
local function findings(bufnr)
  local list = {}
  for _, d in ipairs(vim.diagnostic.get(bufnr)) do
    local code = d.code or (d.user_data and d.user_data.lsp and d.user_data.lsp.code) or '?'
    table.insert(list, string.format('%d:%d %s', d.lnum + 1, d.col + 1, code))
  end
  table.sort(list)
  return table.concat(list, ', ')
end

local function text(bufnr)
  return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
end

-- place puts the cursor on the first character of a pattern.
local function place(pattern)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search(pattern, 'cW') > 0, 'no ' .. pattern)
end

-- ask sends a request about the place of the cursor and returns its result.
local function ask(bufnr, method)
  local params = vim.lsp.util.make_position_params(0, 'utf-16')
  local answers, err = vim.lsp.buf_request_sync(bufnr, method, params, limit)
  assert(answers, err)
  for _, answer in pairs(answers) do
    assert(not answer.error, vim.inspect(answer.error))
    return answer.result
  end
end

local function labels(result)
  local list = {}
  for _, item in ipairs(result.items or result) do
    table.insert(list, item.label)
  end
  return list
end

local function main()
  local buffer = vim.api.nvim_get_current_buf()
  note('filetype', vim.bo.filetype)
  note('comment', vim.bo.commentstring)
  await('the server', function()
    return #vim.lsp.buf_get_clients(buffer) > 0
  end)

  await('findings', function()
    return findings(buffer) ~= ''
  end)
  note('findings', findings(buffer))

  -- The missing node is typed in, line by line, as `o` indents it.
  vim.fn.cursor(vim.fn.search('^workflow') - 1, 1)
  vim.cmd([[execute "normal! otool publish:\<CR>command: \"true\"\<CR>\<C-u>"]])
  await('no findings', function()
    return findings(buffer) == ''
  end)

  place('entry: \\zs')
  note('completion', vim.tbl_contains(labels(ask(buffer, 'textDocument/completion')), 'publish'))
  place('entry: \\zs')
  local at = ask(buffer, 'textDocument/definition')
  at = at[1] or at
  note('definition', vim.fn.fnamemodify(vim.uri_to_fname(at.uri or at.targetUri), ':t'))

  place('entry: \\zs')
  local hover = ask(buffer, 'textDocument/hover')
  note('hover', vim.split(hover.contents.value, '\n')[1])

  vim.lsp.buf.rename('draft')
  await('the rename', function()
    return text(buffer):find('entry: draft', 1, true)
  end)
  await('the other file', function()
    return vim.fn.bufnr('lib/writers.bot') > 0 and text(vim.fn.bufnr('lib/writers.bot')):find('tool draft', 1, true)
  end)

  vim.fn.setline(vim.fn.search('entry:'), '  entry:     draft')
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = limit })
  else
    vim.lsp.buf.formatting_sync(nil, limit)
  end
  note('text\n' .. text(buffer))
  note('writers\n' .. text(vim.fn.bufnr('lib/writers.bot')))

  vim.fn.setline(vim.fn.search('entry:'), '  entry: nobody')
  await('a finding', function()
    return findings(buffer) ~= ''
  end)
  note('findings', findings(buffer))

  local parsed = vim.treesitter.get_parser(buffer, 'bot'):parse()[1]:root()
  note('tree', parsed:type(), parsed:has_error())
  note('coloured', vim.treesitter.highlighter.active[buffer] ~= nil)
  vim.cmd('silent wall')
end

local ok, err = xpcall(main, debug.traceback)
if not ok then
  note('error ' .. err)
end
local out = assert(io.open('/dev/fd/3', 'w'))
out:write(table.concat(said, '\n'), '\n.\n')
out:close()
if vim.env.THEN == 'quit' then
  vim.cmd('qall!')
end
