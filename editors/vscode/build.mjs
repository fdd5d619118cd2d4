// Bundles the extension into dist, and with --tests its tests into out.
import { build } from "esbuild";
import { readdirSync } from "node:fs";

const common = { bundle: true, platform: "node", target: "node20", format: "cjs", logLevel: "warning" };

if (process.argv.includes("--tests")) {
  const tests = readdirSync("test").filter((file) => file.endsWith(".test.ts"));
  await build({
    ...common,
    entryPoints: tests.map((file) => `test/${file}`),
    outdir: "out",
    sourcemap: "inline",
    alias: { vscode: "./test/vscode.ts" },
    external: ["vscode-oniguruma", "vscode-textmate"],
  });
} else {
  await build({ ...common, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", external: ["vscode"], minify: true });
}
