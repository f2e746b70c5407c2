import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { parseConfig } from "../src/env.ts";

const ROOT = join(import.meta.dirname, "../../..");
const { collectRelease, START } = await import(join(ROOT, "scripts/collect-release.mjs"));
const DEPLOY = join(ROOT, "deploy");

test(
  "a release serves the dashboard and the API wherever it is put, with Node alone",
  { timeout: 120_000 },
  async () => {
    const parent = await mkdtemp(join(tmpdir(), "workspace-release-"));
    onTestFinished(() => rm(parent, { recursive: true, force: true }));
    collectRelease(join(parent, "built"));
    const release = join(parent, "moved");
    await rename(join(parent, "built"), release);

    const { scripts } = JSON.parse(readFileSync(join(release, "package.json"), "utf8"));
    const child = spawn("sh", ["-c", scripts.start.replace("node", process.execPath)], {
      cwd: release,
      env: { PATH: "/usr/bin:/bin", HOME: parent, PORT: "0", DATA_DIR: join(parent, "data"), NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const exited = once(child, "exit");
    onTestFinished(async () => {
      child.kill("SIGTERM");
      await exited;
    });
    let output = "";
    const url = await new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk.toString();
        const ready = /^Workspace is ready at (\S+)$/m.exec(output)?.[1];
        if (ready !== undefined) resolve(ready);
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      child.once("exit", () => reject(new Error(output)));
    });

    const health = await fetch(`${url}/api/health`);
    expect(await health.json()).toMatchObject({ data: { status: "ok", database: { deployment: "embedded" } } });
    for (const path of ["/", "/docs", "/tasks"]) expect((await fetch(url + path)).status).toBe(200);
    const script = /src="(\/assets\/[^"]+)"/.exec(await (await fetch(`${url}/`)).text())?.[1];
    expect((await fetch(url + script)).headers.get("content-type")).toContain("javascript");
    const help = execFileSync("sh", ["-c", `${scripts.workspace.replace("node", process.execPath)} --help`], {
      cwd: release,
    });
    expect(help.toString()).toContain("backup");
  },
);

test("what the installation files set is what the service reads", () => {
  const compose = parse(readFileSync(join(DEPLOY, "compose.yaml"), "utf8"));
  const { environment, build } = compose.services.workspace;
  expect(existsSync(join(DEPLOY, build.context, build.dockerfile))).toBe(true);
  const fill = (value: string) => value.replaceAll(/\$\{\w+(?::-([^}]*)|:\?)\}/g, (_, given = "secret") => given);
  const container = { HOST: "0.0.0.0", DATA_DIR: "/data", PORT: "3000" };
  const settings = Object.fromEntries(Object.entries<string>(environment).map(([name, value]) => [name, fill(value)]));
  const config = parseConfig({ ...container, ...settings }, "/opt/workspace");
  expect(config).toMatchObject({
    databaseUrl: "postgres://workspace:secret@database:5432/workspace",
    authUrl: "http://localhost:3000",
    dataDir: "/data",
    isSignUpOpen: false,
  });

  const dockerfile = readFileSync(join(DEPLOY, "Dockerfile"), "utf8");
  for (const [name, value] of Object.entries(container)) expect(dockerfile).toContain(`${name}=${value}`);
  expect(readFileSync(join(DEPLOY, "workspace.service"), "utf8")).toContain(
    `ExecStart=/usr/bin/node ${START.slice(1).join(" ")}\n`,
  );
  expect(dockerfile).toContain(`CMD ${JSON.stringify(START).replaceAll(",", ", ")}`);
  const plist = readFileSync(join(DEPLOY, "workspace.plist"), "utf8");
  const strings = [...plist.matchAll(/<string>([^<]*)<\/string>/g)].map(([, text]) => text);
  expect(strings).toEqual(expect.arrayContaining(START.slice(1)));
});
