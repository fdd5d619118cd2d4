// What an editor waits for, measured over stdio: p50 and p95 in milliseconds.
// `npm run bench`; EDITS sets how many edits, 1000 unless told.
import { readFile } from 'node:fs/promises'
import { CompletionRequest, DefinitionRequest, DocumentFormattingRequest, HoverRequest } from 'vscode-languageserver-protocol/node'
import { Client, workspace } from './client.mjs'

const edits = Number(process.env.EDITS ?? 1000)

// program is a main file of about so many lines whose steps also stand in four
// other files of the unit.
function program(lines) {
  const files = {}
  let main = 'dsl: 2\n\n'
  for (let i = 0; i < 4; i++) {
    main += `import "lib/part${i}.bot"\n`
    files[`lib/part${i}.bot`] = `schema notes${i}:\n  text: string\n  ok: bool\n\nagent part${i}:\n  model: "m/x"\n  output: notes${i}\n  user: "Part ${i}."\n`
  }
  main += '\nvars:\n  topic: string = "bots"\n\n'
  const steps = Math.ceil(lines / 13)
  for (let i = 0; i < steps; i++) {
    main += `schema out_${i}:\n  text: string\n\nprompt task_${i}:\n  Do step ${i} about {{vars.topic}}.\n  Read {{outputs.step_${Math.max(i - 1, 0)}.text}} before.\n\nagent step_${i}:\n  model: "m/x"\n  output: out_${i}\n  user: ${i ? `task_${i}` : '"Begin."'}\n\n`
  }
  main += 'workflow big:\n  entry: part0\n\n  part0 -> part1\n  part1 -> part2\n  part2 -> part3\n  part3 -> step_0\n'
  for (let i = 1; i < steps; i++) main += `  step_${i - 1} -> step_${i}\n`
  files['main.bot'] = main + `  step_${steps - 1} -> done\n`
  return files
}

function percentiles(times) {
  const sorted = [...times].sort((a, b) => a - b)
  const at = q => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))].toFixed(2)
  return { p50: at(0.5), p95: at(0.95) }
}

async function timed(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

// typing measures a keystroke in the middle of a prompt until its findings are
// there, and what is asked for behind it.
async function typing(lines, count) {
  const files = program(lines)
  const c = await Client.start(await workspace(files))
  for (const name of Object.keys(files)) await c.open(name, files[name])
  await c.diagnostics('main.bot', 1)
  const text = files['main.bot'].split('\n')
  const line = text.findIndex((l, i) => i > text.length / 2 && l.startsWith('  Do step'))
  const edge = text.findIndex((l, i) => i > line && l.includes('->'))
  const times = { keystroke: [], completion: [], hover: [], definition: [], formatting: [] }
  let version = 1
  const change = (at, inserted) => c.change('main.bot', ++version, [{ range: { start: { line, character: at }, end: { line, character: at + (inserted ? 0 : 1) } }, text: inserted }])
  for (let i = 0; i < count; i++) {
    c.forget()
    times.keystroke.push(await timed(async () => { await change(4, i % 2 ? '' : 'x'); await c.diagnostics('main.bot', version) }))
    const at = (l, character) => ({ ...c.document('main.bot'), position: { line: l, character } })
    times.completion.push(await timed(() => c.request(CompletionRequest.type, at(edge, text[edge].indexOf('->') + 3))))
    times.hover.push(await timed(() => c.request(HoverRequest.type, at(edge, 4))))
    times.definition.push(await timed(() => c.request(DefinitionRequest.type, at(edge, 4))))
    if (i % 10 === 0) times.formatting.push(await timed(() => c.request(DocumentFormattingRequest.type, { ...c.document('main.bot'), options: { tabSize: 2, insertSpaces: true } })))
  }
  await c.stop()
  console.log(`${text.length} lines, ${Object.keys(files).length} files`)
  console.table(Object.fromEntries(Object.entries(times).map(([k, v]) => [k, percentiles(v)])))
}

async function start(count) {
  const files = program(300)
  const dir = await workspace(files)
  const times = []
  for (let i = 0; i < count; i++) {
    let c
    times.push(await timed(async () => {
      c = await Client.start(dir)
      await c.open('main.bot', files['main.bot'])
      await c.diagnostics('main.bot', 1)
    }))
    await c.stop()
  }
  console.log('start to first findings')
  console.table({ start: percentiles(times) })
}

const resident = async pid => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

async function memory(count) {
  const text = program(300)['main.bot'].replace(/import.*\n/g, '').replace(/ {2}part.*\n/g, '').replace('entry: part0', 'entry: step_0')
  const c = await Client.start(await workspace({}))
  const before = await resident(c.process.pid)
  for (let i = 0; i < count; i++) await c.open(`bot${i}.bot`, text)
  for (let i = 0; i < count; i++) await c.diagnostics(`bot${i}.bot`, 1)
  const opened = await resident(c.process.pid)
  await c.stop()
  console.log(`resident: ${before.toFixed(0)} MiB at start, ${opened.toFixed(0)} MiB with ${count} files of ${text.split('\n').length} lines open`)
}

await start(20)
await typing(2000, edits)
await typing(20000, Math.min(edits, 200))
await memory(500)
