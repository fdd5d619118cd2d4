// What of the editor the extension touches, recorded instead of shown.
import { fileURLToPath, pathToFileURL } from "node:url";

export const seen = {
  commands: new Map<string, (...args: unknown[]) => unknown>(),
  executed: [] as unknown[][],
  messages: [] as string[],
  tasks: [] as Task[],
  panels: [] as Panel[],
  saved: 0,
};

export const world = {
  trusted: true,
  user: undefined as string | undefined, // iterion.path
  workspace: undefined as string | undefined,
  documents: [] as { uri: Uri; languageId: string; isDirty: boolean; save(): Promise<boolean> }[],
};

export function reset(): void {
  Object.assign(seen, { commands: new Map(), executed: [], messages: [], tasks: [], panels: [], saved: 0 });
  Object.assign(world, { trusted: true, user: undefined, workspace: undefined, documents: [] });
}

export class Uri {
  private constructor(readonly scheme: string, readonly path: string, readonly fsPath: string, private readonly text: string) {}
  static parse(text: string): Uri {
    const url = new URL(text);
    return new Uri(url.protocol.slice(0, -1), decodeURIComponent(url.pathname), url.protocol === "file:" ? fileURLToPath(url) : "", text);
  }
  static file(path: string): Uri {
    return Uri.parse(pathToFileURL(path).href);
  }
  toString(): string {
    return this.text;
  }
}

export class ProcessExecution {
  constructor(readonly process: string, readonly args: string[], readonly options: { cwd: string }) {}
}

export class Task {
  presentationOptions = {};
  constructor(readonly definition: object, readonly scope: unknown, readonly name: string, readonly source: string, readonly execution: ProcessExecution) {}
}

export class Panel {
  title = "";
  webview = { html: "" };
  private closed = () => {};
  constructor(readonly options: object) {
    seen.panels.push(this);
  }
  reveal(): void {}
  onDidDispose(closed: () => void): void {
    this.closed = closed;
  }
  dispose(): void {
    this.closed();
  }
}

/** An event that tests fire. */
class Emitter<T> {
  private listeners: ((value: T) => unknown)[] = [];
  readonly event = (listener: (value: T) => unknown) => {
    this.listeners.push(listener);
    return { dispose: () => (this.listeners = this.listeners.filter((l) => l !== listener)) };
  };
  fire(value: T): unknown[] {
    return this.listeners.map((listener) => listener(value));
  }
}

export const events = { changed: new Emitter<{ document: { uri: Uri } }>(), configuration: new Emitter<unknown>(), trust: new Emitter<void>() };

export enum LanguageStatusSeverity { Information, Warning, Error }
export enum TaskScope { Global = 1, Workspace }
export enum TaskRevealKind { Always = 1 }
export enum TaskPanelKind { Shared = 1, Dedicated }
export enum ViewColumn { Beside = -2 }

export const status = { text: "", severity: LanguageStatusSeverity.Information, dispose() {} };

export const languages = { createLanguageStatusItem: () => status };

export const commands = {
  registerCommand(name: string, run: (...args: unknown[]) => unknown) {
    seen.commands.set(name, run);
    return { dispose() {} };
  },
  async executeCommand(...args: unknown[]) {
    seen.executed.push(args);
  },
};

async function message(text: string): Promise<undefined> {
  seen.messages.push(text);
}

export const window = {
  activeTextEditor: undefined as { document: object } | undefined,
  showErrorMessage: message,
  showWarningMessage: message,
  createWebviewPanel: (_type: string, _title: string, _column: object, options: object) => new Panel(options),
};

export const workspace = {
  get isTrusted() {
    return world.trusted;
  },
  get textDocuments() {
    return world.documents;
  },
  getConfiguration: () => ({ inspect: () => ({ globalValue: world.user, workspaceValue: world.workspace }) }),
  getWorkspaceFolder: () => undefined,
  asRelativePath: (uri: Uri) => uri.path.split("/").at(-1)!,
  onDidChangeTextDocument: events.changed.event,
  onDidChangeConfiguration: events.configuration.event,
  onDidGrantWorkspaceTrust: events.trust.event,
};

export const tasks = {
  async executeTask(task: Task) {
    seen.tasks.push(task);
  },
};
