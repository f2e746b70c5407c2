/**
 * Builds what is published: one module without dependencies, and its types. What it uses of openapi-fetch is bundled, so that
 * nothing has to be installed with it.
 */
import { execFileSync } from "node:child_process";
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import "./generate-types.mjs";

const packageDir = join(import.meta.dirname, "..");
const distDir = join(packageDir, "dist");
const require = createRequire(import.meta.url);
const BUNDLED = ["openapi-fetch", "openapi-typescript-helpers"];

await rm(distDir, { recursive: true, force: true });
await build({
  entryPoints: [join(packageDir, "src/index.ts")],
  outfile: join(distDir, "index.js"),
  bundle: true,
  format: "esm",
  platform: "neutral",
  mainFields: ["module", "main"],
  target: "es2022",
});
const tsc = join(packageDir, "node_modules/typescript/bin/tsc");
execFileSync(process.execPath, [tsc, "-p", join(packageDir, "tsconfig.build.json")], { stdio: "inherit" });

for (const name of BUNDLED) {
  const folder = dirname(require.resolve(name));
  await copyFile(join(folder, "index.d.mts"), join(distDir, `${name}.d.ts`));
  await copyFile(join(folder, "../LICENSE"), join(distDir, `${name}.LICENSE`));
}
await linkTypes(distDir, "./");

/** Makes declarations refer to each other by the paths that they have in the package. */
async function linkTypes(folder, toDist) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await linkTypes(path, `../${toDist}`);
    if (!entry.name.endsWith(".d.ts")) continue;
    const text = await readFile(path, "utf8");
    const linked = text.replaceAll(/(from\s+["'])([^"']+)(["'])/g, (_match, before, from, after) => {
      const target = BUNDLED.includes(from) ? `${toDist}${from}.js` : from.replace(/\.ts$/, ".js");
      return before + target + after;
    });
    await writeFile(path, linked);
  }
}
