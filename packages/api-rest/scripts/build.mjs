/** Bundles the server, its packages and their dependencies into dist/, so that it starts fast and runs without node_modules. */
import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const packageDir = join(import.meta.dirname, "..");
const outdir = join(packageDir, "dist");

/** @type {import("esbuild").BuildOptions} */
const shared = {
  outdir,
  bundle: true,
  platform: "node",
  target: "node20.19",
  sourcemap: "linked",
  sourcesContent: false,
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: "warning",
  external: ["pg-native"],
};

/**
 * The program is read as ASCII, which takes half the memory. Esbuild escapes other characters in strings, but not in patterns, nor
 * in raw strings, of which patterns are made.
 */
const asciiSources = {
  name: "ascii-sources",
  setup(bundler) {
    bundler.onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const contents = text.replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
      return contents === text ? undefined : { contents, loader: path.endsWith("ts") ? "ts" : "js" };
    });
  },
};

await rm(outdir, { recursive: true, force: true });

// A script, because V8's bytecode can be kept for scripts only. It cannot import, so it requires what it loads later.
await build({
  ...shared,
  entryPoints: { server: join(packageDir, "src/main.ts") },
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  supported: { "dynamic-import": false },
  legalComments: "external",
  plugins: [asciiSources],
  define: { "import.meta.url": "__fileUrl" },
  banner: { js: 'const __fileUrl = require("node:url").pathToFileURL(__filename).href;' },
});
const program = await readFile(join(outdir, "server.cjs"));
if (program.some((byte) => byte > 0x7f)) throw new Error("The program is not ASCII.");

await build({
  ...shared,
  entryPoints: {
    main: join(packageDir, "src/launcher.ts"),
    workspace: join(packageDir, "src/workspace-command.ts"),
    "backup-worker": join(packageDir, "src/backups/backup-worker.ts"),
    "share-page-worker": join(packageDir, "src/vault-routes/share-page-worker.ts"),
  },
  splitting: true,
  format: "esm",
  define: { PROGRAM_ID: JSON.stringify(createHash("sha256").update(program).digest("hex").slice(0, 16)) },
  // Bundled CommonJS modules call require for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});
