/**
 * Bundles the program into CommonJS files without dependencies: what hooks run, the commands that people enter, and the
 * launcher of the installed copy. Packs them for npm, as the server offers them to other machines.
 */
import { execFileSync } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readFile, readdir, rename, rm } from "node:fs/promises";
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
 * Node modules that every call needs, required once for the whole bundle: their used members become variables with short
 * names, which makes the file smaller. Other modules are left alone, to be loaded only when they are needed.
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

/** What is used of the parser of settings files. */
const PARSER_EXPORTS = ["createScanner", "parseTree", "printParseErrorCode"];

/** The parser is a file of its own that is loaded when it is first called, since hooks never call it. */
const lazyParser = {
  name: "lazy-parser",
  setup(bundler) {
    const lazy = (name) => `export const ${name} = (...args) => require("./jsonc-parser.cjs").${name}(...args);`;
    bundler.onResolve({ filter: /^jsonc-parser$/ }, ({ path }) => ({ path, namespace: "lazy" }));
    bundler.onResolve({ filter: /^\./, namespace: "lazy" }, ({ path }) => ({ path, external: true }));
    bundler.onLoad({ filter: /.*/, namespace: "lazy" }, () => ({ contents: PARSER_EXPORTS.map(lazy).join("\n") }));
  },
};

/**
 * Files of their own: the commands, which hooks never load, what a hook loads to judge a call and to record a project, and what
 * hooks seldom need.
 */
const LAZY_FILES = {
  "/commands/command-line.ts": "./commands.cjs",
  "/undo/recorder.ts": "./undo.cjs",
  "/hook/judge.ts": "./guard.cjs",
  "/hook/seldom-needed.ts": "./seldom.cjs",
};

const lazyFiles = {
  name: "lazy-files",
  setup(bundler) {
    bundler.onResolve({ filter: /\/(?:command-line|recorder|judge|seldom-needed)\.ts$/ }, ({ path, kind }) => {
      const file = Object.entries(LAZY_FILES).find(([source]) =>
        source.endsWith(path.slice(path.lastIndexOf("/"))),
      )?.[1];
      return kind === "dynamic-import" && file !== undefined ? { path: file, external: true } : undefined;
    });
  },
};

/** Hooks check a policy only when its file has changed, with what the file of the commands contains for it. */
const lazyPolicyCheck = {
  name: "lazy-policy-check",
  setup(bundler) {
    bundler.onResolve({ filter: /\/policy-check\.ts$/ }, ({ path }) => ({ path, namespace: "lazy-check" }));
    bundler.onLoad({ filter: /.*/, namespace: "lazy-check" }, () => ({
      contents: `export const checkPolicy = (value) => require("./commands.cjs").checkPolicy(value);`,
    }));
    bundler.onResolve({ filter: /^\./, namespace: "lazy-check" }, ({ path }) => ({ path, external: true }));
  },
};

/** Functions that hooks call in the file of what they seldom need, by the name of their source. */
const SELDOM_CALLED = {
  "read-code": ["readCode"],
  "seldom-tables": ["seldomTables"],
  multiplexers: ["startedByMultiplexer"],
  "embedded-scripts": ["startedByEscape"],
  "known-installers": ["printsKnownInstaller"],
  "printed-variables": ["mayPrintVariables"],
  "windows-script": ["readableScript"],
  "sql-effects": ["effectOfSql", "givenStatements"],
};

const lazyFunctions = {
  name: "lazy-functions",
  setup(bundler) {
    const sources = Object.keys(SELDOM_CALLED).join("|");
    bundler.onResolve({ filter: new RegExp(`/(?:${sources})\\.ts$`) }, ({ path }) => ({
      path: path.slice(path.lastIndexOf("/") + 1, -".ts".length),
      namespace: "lazy-functions",
    }));
    bundler.onLoad({ filter: /.*/, namespace: "lazy-functions" }, ({ path }) => ({
      contents: SELDOM_CALLED[path]
        .map((name) => `export const ${name} = (...values) => require("./seldom.cjs").${name}(...values);`)
        .join("\n"),
    }));
    bundler.onResolve({ filter: /^\./, namespace: "lazy-functions" }, ({ path }) => ({ path, external: true }));
  },
};

const quoted = PRIVATE_NAMES.filter((name) => sources.some((source) => source.includes(`"${name}"`)));
if (quoted.length > 0) throw new Error(`Not private, because they also occur in quotes: ${quoted.join(", ")}`);

/** The short names of private fields. All files use the same, since objects pass from one to the other. */
let shortNames = {};

/** Assistants may be running the existing file, so it is replaced atomically and never missing. */
async function bundle(source, target, plugins = []) {
  const unfinished = `${target}.${process.pid}.tmp`;
  const { mangleCache } = await build({
    entryPoints: [join(packageDir, "src", source)],
    outfile: unfinished,
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    minify: true,
    mangleProps: new RegExp(`^(?:${PRIVATE_NAMES.join("|")})$`),
    mangleCache: shortNames,
    // The launcher compiles the text as a script, which cannot import.
    supported: { "dynamic-import": false },
    // Pure ASCII text takes half the memory.
    charset: "ascii",
    legalComments: "none",
    logLevel: "warning",
    define: { HOOKS_VERSION: JSON.stringify(version) },
    banner: { js: "#!/usr/bin/env node" },
    plugins: [...plugins, sharedModules, lazyParser, lazyFiles],
  });
  shortNames = mangleCache;
  await chmod(unfinished, 0o755);
  await rename(unfinished, target);
}

async function bundleParser(target) {
  const license = await readFile(join(packageDir, "node_modules/jsonc-parser/LICENSE.md"), "utf8");
  await build({
    stdin: { contents: `export { ${PARSER_EXPORTS.join(", ")} } from "jsonc-parser";`, resolveDir: packageDir },
    outfile: target,
    bundle: true,
    mainFields: ["module"],
    target: "node20.19",
    format: "cjs",
    minify: true,
    banner: { js: `/*\n${license}*/` },
    logLevel: "warning",
  });
}

/** Packs what has been built, without running scripts, which would build it again. */
async function pack(target) {
  const folder = await mkdtemp(join(packageDir, "dist/pack-"));
  const options = ["--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
  execFileSync("npm", ["pack", ...options], { cwd: packageDir, stdio: ["ignore", "ignore", "inherit"] });
  const [tarball] = await readdir(folder);
  await rename(join(folder, tarball), target);
  await rm(folder, { recursive: true });
}

await mkdir(join(packageDir, "dist"), { recursive: true });
// The record of `scripts/ensure-built.mjs`: what is there from now on may be of other sources.
await rm(join(packageDir, "dist/.built-from"), { force: true });
await bundle("main.ts", join(packageDir, "dist/workspace-hooks.cjs"), [lazyPolicyCheck]);
await bundle("commands/command-line.ts", join(packageDir, "dist/commands.cjs"));
await bundle("hook/judge.ts", join(packageDir, "dist/guard.cjs"), [lazyFunctions]);
await bundle("undo/recorder.ts", join(packageDir, "dist/undo.cjs"));
await bundle("hook/seldom-needed.ts", join(packageDir, "dist/seldom.cjs"), [lazyPolicyCheck]);
await bundle("launcher.ts", join(packageDir, "dist/launcher.cjs"));
await bundleParser(join(packageDir, "dist/jsonc-parser.cjs"));
await copyFile(join(packageDir, "assets/opencode-plugin.js"), join(packageDir, "dist/opencode-plugin.js"));
await pack(join(packageDir, "dist/workspace-hooks.tgz"));
