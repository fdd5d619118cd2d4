// The page of the diagram. It holds a picture and no script: what a workflow
// says about itself is text that others wrote.
import { createHash } from "node:crypto";

// The picture follows the editor's light or dark by itself, and so must what
// is behind it.
const style = ":root { color-scheme: light dark } body { background: Canvas; padding: 1rem } img { max-width: 100%; height: auto }";
const styleHash = createHash("sha256").update(style).digest("base64");

/** An SVG as the server answers it, undefined for anything else. */
export function svgOf(answer: unknown): string | undefined {
  return typeof answer === "string" && answer.trimStart().startsWith("<svg") ? answer : undefined;
}

/** The page around an SVG. As the source of an image nothing in it can run or load. */
export function diagramPage(svg: string): string {
  const data = Buffer.from(svg, "utf8").toString("base64");
  return page(`<img alt="The workflow's graph" src="data:image/svg+xml;base64,${data}">`);
}

/** A page that says why there is no picture. */
export function messagePage(message: string): string {
  return page(`<p>${escapeHTML(message)}</p>`);
}

function page(body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'sha256-${styleHash}'">
<style>${style}</style>
</head>
<body>${body}</body>
</html>
`;
}

function escapeHTML(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
