import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestServer } from "../../api-rest/tests/test-server.ts";
import { PROGRAM, TemporaryHome, runProcess } from "./support/temporary-home.ts";

const PACKAGE = join(import.meta.dirname, "..");
/** Every hook reads the program, those that a rule may concern what judges them, and few the other. */
const MAX_BYTES = { "workspace-hooks.cjs": 90 * 1024, "guard.cjs": 116 * 1024, "seldom.cjs": 100 * 1024 };

let home: TemporaryHome;

beforeEach(() => {
  home = new TemporaryHome();
});

afterEach(() => home.close());

test("what hooks load is small, and the program needs nothing but Node and the files beside it", () => {
  const beside = (name: string): string => readFileSync(join(dirname(PROGRAM), name), "utf8");
  for (const [name, limit] of Object.entries(MAX_BYTES))
    expect(Buffer.byteLength(beside(name))).toBeLessThanOrEqual(limit);
  expect(requiredFiles(beside("workspace-hooks.cjs"))).toEqual([
    "./commands.cjs",
    "./guard.cjs",
    "./jsonc-parser.cjs",
    "./seldom.cjs",
    "./undo.cjs",
  ]);
  expect(requiredFiles(beside("commands.cjs"))).toEqual(["./jsonc-parser.cjs", "./seldom.cjs", "./undo.cjs"]);
  expect(requiredFiles(beside("guard.cjs"))).toEqual(["./seldom.cjs"]);
  for (const name of ["undo.cjs", "seldom.cjs"]) expect(requiredFiles(beside(name))).toEqual([]);
});

function requiredFiles(bundle: string): readonly string[] {
  const required = [...bundle.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = ""]) => name.replace(/^node:/, ""));
  expect(required).toContain("fs");
  return [...new Set(required.filter((name) => !builtinModules.includes(name)))].toSorted();
}

test("the packed package installs with npm into an empty home, and works from there", async () => {
  const npm = (...args: string[]): string =>
    execFileSync("npm", [...args, "--no-audit", "--no-fund", "--offline", "--loglevel=error"], {
      cwd: PACKAGE,
      env: home.env,
      encoding: "utf8",
    });
  npm("pack", "--ignore-scripts", "--pack-destination", home.path);
  const [tarball = ""] = readdirSync(home.path).filter((name) => name.endsWith(".tgz"));
  const listed = execFileSync("tar", ["-tf", join(home.path, tarball)], { encoding: "utf8" });
  for (const file of [
    "workspace-hooks.cjs",
    "commands.cjs",
    "guard.cjs",
    "undo.cjs",
    "seldom.cjs",
    "jsonc-parser.cjs",
    "opencode-plugin.js",
    "policy.schema.json",
    "README.md",
  ])
    expect(listed).toContain(file);
  const prefix = join(home.path, "prefix");
  npm("install", "--global", "--prefix", prefix, join(home.path, tarball));
  const command = join(prefix, "bin/workspace-hooks");
  const run = (...args: string[]) => runProcess(command, args, { cwd: home.project, env: home.env });
  expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const installed = await run(
    "install",
    "--server",
    "http://localhost:9",
    "--key",
    "wk_x",
    "--for",
    "claude-code,opencode",
  );
  expect(installed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(home.read(".claude/settings.json")).toContain(join(home.root, "bin/workspace-hooks.cjs"));
  expect((await run("doctor", "--self-test")).stdout).toContain("✓ rule self-test: the hooks reply deny");
  expect((await run("uninstall", "--purge")).exitCode).toBe(0);
  expect(home.list(".claude")).toEqual([]);
  expect(home.list(".workspace-hooks")).toEqual([]);
});

test("a server offers the package, which npm runs from its address", async () => {
  const server = await startTestServer();
  try {
    const address = `${server.url}/workspace-hooks.tgz`;
    // npm keeps what it has run once from an address.
    for (const url of [address, `${server.url}/workspace-hooks-mdq1x0.tgz`]) {
      const response = await fetch(url);
      expect(response.headers.get("Content-Type")).toBe("application/gzip");
      expect(Buffer.from(await response.arrayBuffer())).toEqual(
        readFileSync(join(dirname(PROGRAM), "workspace-hooks.tgz")),
      );
    }
    expect((await fetch(address, { method: "POST" })).status).toBe(405);
    const npx = (...args: string[]) =>
      runProcess("npx", ["-y", "-p", address, "workspace-hooks", ...args], { cwd: home.project, env: home.env });
    const api = await server.signIn();
    const { key } = (await api("POST", "/api/api-keys", { body: { name: "hooks", scopes: ["hooks"] } })).body.data;
    const installed = await npx("install", "--server", server.url, "--key", key, "--for", "claude-code");
    expect(installed).toMatchObject({ exitCode: 0 });
    expect(home.read(".claude/settings.json")).toContain(join(home.root, "bin/workspace-hooks.cjs"));
  } finally {
    await server.close();
  }
});
