// What an editor would show, asked of the real server: each scene is a file with
// the server's answers for it. Nothing in it is made up.
import { cp, mkdtemp, readFile, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '../client/client.mjs'

const bots = join(import.meta.dirname, 'bots')
const names = ['main.bot', 'lib/steps.bot']

// at is the place behind a text in a file.
function at(text, part) {
  const end = text.indexOf(part) + part.length
  const before = text.slice(0, end).split('\n')
  return { line: before.length - 1, character: before.at(-1).length }
}

export async function session() {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'iterion-pictures-')))
  await cp(bots, dir, { recursive: true })
  const c = await Client.start(dir)
  const files = {}
  for (const name of names) files[name] = await readFile(join(bots, name), 'utf8')
  for (const name of names) await c.open(name, files[name])
  const legend = c.capabilities.semanticTokensProvider.legend.tokenTypes
  const ask = (method, name, params) => c.connection.sendRequest(method, { ...c.document(name), ...params })

  // view is a file as it is now, with what an editor asks of it unasked.
  async function view(title, name, version, extra = {}) {
    const text = files[name]
    const all = { start: { line: 0, character: 0 }, end: { line: text.split('\n').length, character: 0 } }
    return {
      title, name, text, legend,
      tokens: (await ask('textDocument/semanticTokens/full', name, {})).data,
      findings: (await c.diagnostics(name, version)).map(d => ({ range: d.range, severity: d.severity, code: d.code, message: d.message })),
      hints: (await ask('textDocument/inlayHint', name, { range: all })).map(h => ({ position: h.position, label: h.label })),
      lenses: (await ask('textDocument/codeLens', name, {})).map(l => ({ line: l.range.start.line, title: l.command.title })),
      ...extra,
    }
  }

  const scenes = []
  scenes.push(await view('findings', 'main.bot', 1))

  const rule = at(files['main.bot'], 'Bash(git push')
  const hover = await ask('textDocument/hover', 'main.bot', { position: rule })
  scenes.push({ ...scenes[0], title: 'hover', at: rule, hover: hover.contents.value, problems: false })

  const unknown = at(files['main.bot'], 'review -> pub')
  const actions = await ask('textDocument/codeAction', 'main.bot', { range: { start: unknown, end: unknown }, context: { diagnostics: [] } })
  scenes.push({ ...scenes[0], title: 'actions', at: unknown, list: actions.map(a => ({ label: a.title })), problems: false })

  const step = files['lib/steps.bot'] + '\nagent publish:\n  model: "anthropic/claude-sonnet-5"\n  user: "Announce {{outputs.re'
  files['lib/steps.bot'] = step
  await c.change('lib/steps.bot', 2, [{ text: step }])
  const end = at(step, 'Announce {{outputs.re')
  const items = await ask('textDocument/completion', 'lib/steps.bot', { position: end })
  const list = (items.items ?? items).slice(0, 8).map(i => ({ label: i.label, detail: i.detail }))
  scenes.push(await view('completion', 'lib/steps.bot', 2, { at: end, list, problems: false }))

  const fixed = files['lib/steps.bot'] = step + 'view.why}}."\n'
  await c.change('lib/steps.bot', 3, [{ text: fixed }])
  await c.diagnostics('lib/steps.bot', 3)
  const svg = await c.connection.sendRequest('workspace/executeCommand', { command: 'iterion.diagram', arguments: [c.uri('main.bot'), 'svg'] })
  scenes.push({ title: 'diagram', svg })
  await c.stop()
  return scenes
}

// told is what the scenes show, as text: it changes when an answer does.
export function told(scenes) {
  return scenes.map(({ legend, ...scene }) => JSON.stringify(scene, null, 1)).join('\n') + '\n'
}
