import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, copyFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transform } from "esbuild";
import { expect, onTestFinished, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const CHECK = "scripts/require-node.cjs";

const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

test.each(Object.entries<string>(scripts).filter(([, command]) => /\bnode\b/.test(command)))(
  "npm run %s checks the version of Node before it reads anything else",
  (_name, command) => expect(command).toContain(`node -r ./${CHECK} `),
);

test("the check can be parsed by any Node", async () => {
  const source = readFileSync(join(ROOT, CHECK), "utf8");
  const { code: plain } = await transform(source, { target: "esnext" });
  // Rejects what ES5 cannot express, and rewrites what it expresses differently.
  await expect(transform(source, { target: "es5" })).resolves.toMatchObject({ code: plain, warnings: [] });
});

test.each([
  [">=20.19", 0],
  [">=999.0", 1],
])("where package.json asks for %s, the check exits with %d", async (node, code) => {
  const dir = await mkdtemp(join(tmpdir(), "workspace-node-version-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, "scripts"));
  await copyFile(join(ROOT, CHECK), join(dir, CHECK));
  await writeFile(join(dir, "package.json"), JSON.stringify({ engines: { node } }));
  const { status, stderr } = spawnSync(process.execPath, ["-r", join(dir, CHECK), "-e", ""], { encoding: "utf8" });
  expect(status).toBe(code);
  expect(stderr).toBe(code === 0 ? "" : `Workspace needs Node 999.0 or later; this is ${process.versions.node}.\n`);
});
