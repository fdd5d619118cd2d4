// A language client that starts nothing.
export enum TransportKind { stdio }

export const clients: LanguageClient[] = [];

/** What the server answers to a request; tests replace it. */
export const server = {
  answer: async (_method: string, _params: unknown): Promise<unknown> => undefined,
  start: async (): Promise<void> => {},
};

interface Options {
  middleware: { provideCodeLenses(document: object, token: object, next: () => Promise<object[]>): Promise<object[]> };
}

export class LanguageClient {
  running = false;
  initializeResult = { serverInfo: { name: "iterion", version: "9.9" } };

  constructor(readonly id: string, readonly name: string, readonly program: { command: string; args: string[] }, readonly options: Options) {
    clients.push(this);
  }
  async start(): Promise<void> {
    await server.start();
    this.running = true;
  }
  async dispose(): Promise<void> {
    this.running = false;
  }
  isRunning(): boolean {
    return this.running;
  }
  sendRequest(method: string, params: unknown): Promise<unknown> {
    return server.answer(method, params);
  }
}
