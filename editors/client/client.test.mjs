import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import test from 'node:test'
import {
  CompletionRequest, DefinitionRequest, DocumentDiagnosticRequest, DocumentFormattingRequest, HoverRequest, ReferencesRequest, RenameRequest,
} from 'vscode-languageserver-protocol/node'
import { apply, Client, server, workspace } from './client.mjs'

const files = {
  'main.bot': 'dsl: 2\n\nimport "lib/steps.bot"\nimport "lib/texts.bot"\n\nvars:\n  topic: string = "bots"\n\nworkflow w:\n  entry: plan\n\n  plan -> check\n  check -> done\n',
  'lib/steps.bot': 'schema notes:\n  text: string\n\nagent plan:\n  model: "m/x"\n  output: notes\n  user: ask\n\nagent check:\n  model: "m/x"\n  user: "Check {{outputs.plan.text}}."\n',
  'lib/texts.bot': 'prompt ask:\n  Plan something about {{vars.topic}}, and plan it well.\n',
}
const names = Object.keys(files)

// started is a client whose server does not outlive its test.
async function started(t, dir, options) {
  const c = await Client.start(dir, options)
  t.after(() => c.kill())
  return c
}

test('a session in three files of a unit', async t => {
  const c = await started(t, await workspace(files))
  for (const name of names) await c.open(name, files[name])
  for (const name of names) assert.deepEqual(await c.diagnostics(name, 1), [])

  // Typing: a half-written line, its completion, and a finding at its place.
  const steps = files['lib/steps.bot']
  const line = steps.split('\n').length - 1
  await c.change('lib/steps.bot', 2, [{ range: { start: { line, character: 0 }, end: { line, character: 0 } }, text: '  sess' }])
  const list = await c.request(CompletionRequest.type, { ...c.document('lib/steps.bot'), position: { line, character: 6 } })
  const items = Array.isArray(list) ? list : list.items
  assert.ok(items.some(i => i.label === 'session'), 'completes `session`')
  assert.ok((await c.diagnostics('lib/steps.bot', 2)).some(d => d.range.start.line === line), 'finds the half line')
  await c.change('lib/steps.bot', 3, [{ text: steps }])
  assert.deepEqual(await c.diagnostics('lib/steps.bot', 3), [])

  const hover = await c.request(HoverRequest.type, { ...c.document('main.bot'), position: { line: 11, character: 3 } })
  assert.match(hover.contents.value, /agent/)
  const definition = await c.request(DefinitionRequest.type, { ...c.document('main.bot'), position: { line: 11, character: 3 } })
  assert.equal([definition].flat()[0].uri ?? [definition].flat()[0].targetUri, c.uri('lib/steps.bot'))
  const references = await c.request(ReferencesRequest.type, { ...c.document('main.bot'), position: { line: 11, character: 3 }, context: { includeDeclaration: true } })
  assert.equal(references.length, 4) // declared, entry, edge, template

  const edit = await c.request(RenameRequest.type, { ...c.document('main.bot'), position: { line: 11, character: 3 }, newName: 'draft' })
  const texts = { ...files }
  for (const { textDocument, edits } of edit.documentChanges) {
    const name = names.find(n => c.uri(n) === textDocument.uri)
    texts[name] = apply(texts[name], edits)
    await c.change(name, 10, [{ text: texts[name] }])
  }
  assert.match(texts['lib/steps.bot'], /agent draft:[^]*outputs\.draft\.text/)
  assert.match(texts['main.bot'], /entry: draft\n\n {2}draft -> check/)
  assert.equal(texts['lib/texts.bot'], files['lib/texts.bot'], 'prose stays')
  assert.deepEqual(await c.diagnostics('lib/steps.bot', 10), [])

  const untidy = texts['main.bot'].replace('entry: draft', 'entry:    draft')
  await c.change('main.bot', 11, [{ text: untidy }])
  const edits = await c.request(DocumentFormattingRequest.type, { ...c.document('main.bot'), options: { tabSize: 2, insertSpaces: true } })
  assert.equal(apply(untidy, edits), texts['main.bot'])

  for (const name of names) await c.close(name)
  for (const name of names) assert.deepEqual((await c.published(p => p.uri === c.uri(name) && p.version === undefined)).diagnostics, [])
  assert.equal(await c.stop(), 0)
})

test('a client that pulls is not pushed to', async t => {
  const c = await started(t, await workspace(files), { pull: true })
  await c.open('main.bot', files['main.bot'].replace('check -> done', 'check -> nowhere'))
  const report = await c.request(DocumentDiagnosticRequest.type, c.document('main.bot'))
  assert.equal(report.kind, 'full')
  assert.ok(report.items.some(d => d.code === 'C001'))
  const again = await c.request(DocumentDiagnosticRequest.type, { ...c.document('main.bot'), previousResultId: report.resultId })
  assert.equal(again.kind, 'unchanged')
  c.published(() => assert.fail('pushed'))
  assert.equal(await c.stop(), 0)
})

test('a client that leaves without goodbye', async t => {
  const c = await started(t, await workspace(files))
  c.process.stdin.end()
  const [code] = await c.exited
  assert.equal(code, 1)
})

// The server's input is held open by this process; only the client that it was
// told of has ended.
test('a client that was killed', async t => {
  const owner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const child = spawn(server, ['lsp'], { stdio: ['pipe', 'ignore', 'inherit'] })
  t.after(() => { owner.kill('SIGKILL'); child.kill('SIGKILL') })
  const exited = once(child, 'exit')
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { processId: owner.pid, rootUri: null, capabilities: {} } })
  child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  const [code] = await exited
  assert.equal(code, 1)
})
