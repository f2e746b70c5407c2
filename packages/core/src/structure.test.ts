import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

/**
 * The modules from bottom to top: each may import, types included, only from itself and from those listed before it.
 * `docs/ARCHITECTURE.md` has a diagram.
 */
const MODULES = [
  "platform",
  "platform/procedures",
  "platform/realtime",
  "access/secrets",
  "access/auth",
  "access/api-keys",
  "access/credits",
  "work/projects",
  "work/tasks",
  "knowledge/vault",
  "knowledge/markdown",
  "knowledge/file-records",
  "knowledge/file-system",
  "knowledge/mirror",
  "knowledge/documents",
  "assistants/transcripts",
  "assistants/assistant-usage",
  "assistants/memory",
  "assistants/session-search",
  "assistants/file-history",
  "assistants/hooks",
  "models/usage",
  "models/gateway",
  "models/tools",
  "models/agents",
  "models/chat",
  "models/asks",
  "",
];

const root = join(import.meta.dirname, "../../..");
const core = importsBelow("packages/core/src");

test("every module has its place in the order", () => {
  const modules = new Set([...core.keys()].map(moduleOf));
  expect([...modules].toSorted()).toEqual(MODULES.toSorted());
});

test("a module imports only from itself and from modules below it", () => {
  const levelOf = (name: string) => MODULES.indexOf(moduleOf(name));
  const violations = [...core].flatMap(([name, imported]) =>
    imported.filter((other) => levelOf(other) > levelOf(name)).map((other) => `${name} imports ${other}`),
  );
  expect(violations).toEqual([]);
});

const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}/src`);

test.each([...packages, "bench/src", "e2e/src"])("%s has no import cycles", (directory) => {
  expect(findCycles(importsBelow(directory))).toEqual([]);
});

/** The folder of a file in core; empty for the files at the top level, which compose everything. */
function moduleOf(name: string): string {
  const folder = relative("packages/core/src", dirname(name));
  return folder === "." ? "" : folder;
}

/**
 * The files below a directory with the files that each imports, except tests and generated code. Names are relative to the
 * repository.
 */
function importsBelow(directory: string): Map<string, string[]> {
  const names = readdirSync(join(root, directory), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|^generated\//.test(name))
    .map((name) => join(directory, name));
  return new Map(names.map((name) => [name, importsOf(name)]));
}

/** The files imported statically; dynamic imports, such as those of pages, do not count. */
function importsOf(name: string): string[] {
  const text = readFileSync(join(root, name), "utf8");
  return [...text.matchAll(/\bfrom "(\.[^"]+)"/g)].map(([, specifier = ""]) => join(dirname(name), specifier));
}

function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) cycles.push([...path.slice(path.indexOf(name)), name].join(" → "));
    if (path.includes(name) || finished.has(name)) return;
    for (const other of imports.get(name) ?? []) visit(other, [...path, name]);
    finished.add(name);
  };
  for (const name of imports.keys()) visit(name, []);
  return cycles;
}
