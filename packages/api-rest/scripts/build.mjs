/** Bundles the server, its packages and their dependencies into dist/, so that it starts fast and runs without node_modules. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const packageDir = join(import.meta.dirname, "..");
const outdir = join(packageDir, "dist");

await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: {
    main: join(packageDir, "src/main.ts"),
    "share-page-worker": join(packageDir, "src/vault-routes/share-page-worker.ts"),
  },
  outdir,
  bundle: true,
  splitting: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  sourcemap: "linked",
  sourcesContent: false,
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: "warning",
  // Bundled CommonJS modules call require for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  external: ["pg-native"],
});
