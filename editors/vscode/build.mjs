// Bundles the extension into dist, with the licences of what it holds; with
// --tests its tests into out.
import { build } from "esbuild";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const common = { bundle: true, platform: "node", target: "node20", format: "cjs", logLevel: "warning" };

/** The licences of the packages that a bundle holds. */
function notices(inputs) {
  const packages = new Set(Object.keys(inputs).flatMap((file) => file.match(/^node_modules\/(@[^/]+\/[^/]+|[^/]+)/)?.[0] ?? []));
  return [...packages].sort().map((folder) => {
    const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    if (!licence) throw new Error(`${folder} has no licence file`);
    return `${folder.replace("node_modules/", "")}\n\n${readFileSync(`${folder}/${licence}`, "utf8").trim()}\n`;
  }).join("\n----\n\n");
}

if (process.argv.includes("--tests")) {
  await build({
    ...common,
    entryPoints: readdirSync("test").filter((file) => file.endsWith(".test.ts")).map((file) => `test/${file}`),
    outdir: "out",
    sourcemap: "inline",
    alias: { vscode: "./test/vscode.ts", "vscode-languageclient/node": "./test/client.ts" },
    external: ["vscode-oniguruma", "vscode-textmate"],
  });
} else {
  const { metafile } = await build({
    ...common,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    external: ["vscode"],
    minify: true,
    metafile: true,
  });
  writeFileSync("dist/NOTICES.txt", notices(metafile.inputs));
}
