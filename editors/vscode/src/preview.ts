// The panel beside an editor that shows the graph of its bot.
import * as vscode from "vscode";
import { diagramPage, messagePage, svgOf } from "./diagram";

/** Asks the server for a command's result. */
export type Ask = (command: string, args: unknown[]) => Promise<unknown>;

/** At most one panel; it follows the bot that was asked for last. */
export class Preview implements vscode.Disposable {
  private panel?: vscode.WebviewPanel;
  private uri?: vscode.Uri;
  private asking = false;
  private stale = false;
  private readonly watch: vscode.Disposable;

  constructor(private readonly ask: Ask) {
    this.watch = vscode.workspace.onDidChangeTextDocument((e) => {
      if (e.document.uri.toString() === this.uri?.toString()) void this.refresh();
    });
  }

  async show(uri: vscode.Uri): Promise<void> {
    this.uri = uri;
    if (!this.panel) {
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.panel = vscode.window.createWebviewPanel("iterion.diagram", "Diagram", column, { enableScripts: false, localResourceRoots: [] });
      this.panel.onDidDispose(() => {
        this.panel = undefined;
        this.uri = undefined;
      });
    }
    this.panel.title = `Diagram of ${uri.path.split("/").at(-1)}`;
    this.panel.reveal(undefined, true);
    await this.refresh();
  }

  /** One question at a time: what changes while it is out asks once more. */
  private async refresh(): Promise<void> {
    this.stale = true;
    if (this.asking) return;
    this.asking = true;
    try {
      while (this.stale && this.panel && this.uri) {
        this.stale = false;
        const html = await this.page(this.uri);
        if (this.panel) this.panel.webview.html = html;
      }
    } finally {
      this.asking = false;
    }
  }

  private async page(uri: vscode.Uri): Promise<string> {
    try {
      const svg = svgOf(await this.ask("iterion.diagram", [uri.toString(), "svg"]));
      return svg ? diagramPage(svg) : messagePage("There is no graph: the file holds no workflow, or it has errors.");
    } catch (error) {
      return messagePage(`There is no graph: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  dispose(): void {
    this.watch.dispose();
    this.panel?.dispose();
  }
}
