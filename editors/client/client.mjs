// A client of `iterion lsp` over stdio, with the protocol's own library.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  createProtocolConnection, ExitNotification, InitializedNotification, InitializeRequest, PublishDiagnosticsNotification,
  ShutdownRequest, StreamMessageReader, StreamMessageWriter,
  DidChangeTextDocumentNotification, DidCloseTextDocumentNotification, DidOpenTextDocumentNotification,
} from 'vscode-languageserver-protocol/node'

const root = join(import.meta.dirname, '..', '..')

// The server that is tried: ITERION, or the one that the README builds.
export const server = process.env.ITERION ?? join(root, 'bin', 'iterion')

// workspace writes files into a folder of their own.
export async function workspace(files) {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'iterion-client-')))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  return dir
}

export class Client {
  #published = []
  #waiting = []

  // start opens a session in a folder. pull is for clients that pull findings.
  static async start(dir, { pull = false } = {}) {
    const c = new Client()
    c.dir = dir
    c.process = spawn(server, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] })
    c.exited = once(c.process, 'exit')
    c.connection = createProtocolConnection(new StreamMessageReader(c.process.stdout), new StreamMessageWriter(c.process.stdin))
    c.connection.onNotification(PublishDiagnosticsNotification.type, p => c.#heard(p))
    c.connection.listen()
    const textDocument = { completion: { completionItem: { snippetSupport: true } }, codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } }
    if (pull) textDocument.diagnostic = {}
    const { capabilities } = await c.connection.sendRequest(InitializeRequest.type, {
      processId: process.pid, rootUri: pathToFileURL(dir).href, workspaceFolders: [{ uri: pathToFileURL(dir).href, name: 'test' }],
      capabilities: { textDocument, workspace: { workspaceEdit: { documentChanges: true } }, general: { positionEncodings: ['utf-16'] } },
    })
    c.capabilities = capabilities
    await c.connection.sendNotification(InitializedNotification.type, {})
    return c
  }

  uri(name) { return pathToFileURL(join(this.dir, name)).href }
  document(name) { return { textDocument: { uri: this.uri(name) } } }
  request(type, params) { return this.connection.sendRequest(type, params) }

  open(name, text, version = 1) {
    return this.connection.sendNotification(DidOpenTextDocumentNotification.type,
      { textDocument: { uri: this.uri(name), languageId: 'bot', version, text } })
  }

  change(name, version, changes) {
    return this.connection.sendNotification(DidChangeTextDocumentNotification.type,
      { textDocument: { uri: this.uri(name), version }, contentChanges: changes })
  }

  close(name) { return this.connection.sendNotification(DidCloseTextDocumentNotification.type, this.document(name)) }

  #heard(p) {
    this.#published.push(p)
    this.#waiting = this.#waiting.filter(wait => !wait(p))
  }

  // published is the next that was, or will be, published and fits. What was
  // looked for before is not found again.
  published(fits) {
    const at = this.#published.findIndex(fits)
    if (at >= 0) {
      const [found] = this.#published.splice(at, 1)
      return Promise.resolve(found)
    }
    return new Promise(resolve => this.#waiting.push(p => {
      if (!fits(p)) return false
      this.#published = this.#published.filter(q => q !== p)
      resolve(p)
      return true
    }))
  }

  diagnostics(name, version) {
    return this.published(p => p.uri === this.uri(name) && p.version === version).then(p => p.diagnostics)
  }

  forget() { this.#published = [] }

  kill() { this.process.kill('SIGKILL') }

  // stop says goodbye and returns the exit status.
  async stop() {
    await this.connection.sendRequest(ShutdownRequest.type)
    await this.connection.sendNotification(ExitNotification.type)
    const [code] = await this.exited
    return code
  }
}

// apply makes the text of edits, which all count in the text as it is.
export function apply(text, edits) {
  const starts = [0]
  for (let i = 0; i < text.length; i++) if (text[i] === '\n') starts.push(i + 1)
  const offset = p => Math.min(starts[p.line] + p.character, text.length)
  return edits.map(e => ({ from: offset(e.range.start), to: offset(e.range.end), with: e.newText }))
    .sort((a, b) => b.from - a.from)
    .reduce((t, e) => t.slice(0, e.from) + e.with + t.slice(e.to), text)
}
