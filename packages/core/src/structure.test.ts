import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

/**
 * The layers from bottom to top, with the files at the top level, which compose everything. `docs/ARCHITECTURE.md` has a diagram
 * of the modules in them.
 */
const LAYERS = ["platform", "access", "work", "knowledge", "assistants", "models", ""];

const root = join(import.meta.dirname, "../../..");
const core = importsBelow("packages/core/src");

test("a file imports only from its own layer and from those below it", () => {
  const levelOf = (name: string) => LAYERS.indexOf(moduleOf(name).split("/")[0] ?? "");
  expect([...core.keys()].filter((name) => levelOf(name) === -1)).toEqual([]);
  const violations = [...core].flatMap(([name, imported]) =>
    imported.filter((other) => levelOf(other) > levelOf(name)).map((other) => `${name} imports ${other}`),
  );
  expect(violations).toEqual([]);
});

test("no module imports itself through others", () => {
  const imports = new Map<string, string[]>();
  for (const [name, imported] of core) {
    const module = moduleOf(name);
    const others = imported.map(moduleOf).filter((other) => other !== module);
    imports.set(module, [...(imports.get(module) ?? []), ...others]);
  }
  expect(findCycles(imports)).toEqual([]);
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
