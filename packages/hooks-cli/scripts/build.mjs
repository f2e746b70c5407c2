/** Bundles the command into one CommonJS file without dependencies, and what starts its installed copy into another. */
import { chmod, copyFile, mkdir, readFile, readdir, rename } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { PRIVATE_NAMES } from "./private-names.mjs";

const packageDir = join(import.meta.dirname, "..");
const { version } = JSON.parse(await readFile(join(packageDir, "package.json"), "utf8"));

const sourceFiles = (await readdir(join(packageDir, "src"), { recursive: true })).filter((name) =>
  name.endsWith(".ts"),
);
const sources = await Promise.all(sourceFiles.map((name) => readFile(join(packageDir, "src", name), "utf8")));
const uses = sources.join("\n").matchAll(/\bfs\.(\w+)|import \{([^}]+)\} from "node:/g);
const usedNames = new Set(Array.from(uses, (use) => use.slice(1).join(" ").split(/\W+/)).flat());

/**
 * Node's modules that every call needs, required once for the whole bundle: what is used of them becomes a variable with a
 * short name, which makes the file smaller. The others are left alone, to be loaded only where they are needed.
 */
const sharedModules = {
  name: "shared-modules",
  setup(bundler) {
    bundler.onResolve({ filter: /^node:(?:fs|path)$/ }, ({ path, kind }) =>
      kind === "require-call" ? { path, external: true } : { path, namespace: "shared" },
    );
    bundler.onLoad({ filter: /.*/, namespace: "shared" }, ({ path }) => {
      const names = Object.keys(createRequire(import.meta.url)(path)).filter((name) => usedNames.has(name));
      return { contents: `export const { ${names.join(", ")} } = require(${JSON.stringify(path)});`, loader: "js" };
    });
  },
};

const quoted = PRIVATE_NAMES.filter((name) => sources.some((source) => source.includes(`"${name}"`)));
if (quoted.length > 0) throw new Error(`Not private, since they occur in quotes: ${quoted.join(", ")}`);

/** Assistants may be running the one that is there: it is replaced in one step, never missing. */
async function bundle(source, target) {
  const unfinished = `${target}.${process.pid}.tmp`;
  await build({
    entryPoints: [join(packageDir, "src", source)],
    outfile: unfinished,
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    minify: true,
    mangleProps: new RegExp(`^(?:${PRIVATE_NAMES.join("|")})$`),
    // A text of ASCII alone is half as large in memory.
    charset: "ascii",
    legalComments: "none",
    logLevel: "warning",
    define: { HOOKS_VERSION: JSON.stringify(version) },
    banner: { js: "#!/usr/bin/env node" },
    plugins: [sharedModules],
  });
  await chmod(unfinished, 0o755);
  await rename(unfinished, target);
}

await mkdir(join(packageDir, "dist"), { recursive: true });
await bundle("main.ts", join(packageDir, "dist/workspace-hooks.cjs"));
await bundle("launcher.ts", join(packageDir, "dist/launcher.cjs"));
await copyFile(join(packageDir, "assets/opencode-plugin.js"), join(packageDir, "dist/opencode-plugin.js"));
