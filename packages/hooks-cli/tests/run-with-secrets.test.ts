import { execFileSync } from "node:child_process";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type TestServer, startTestServer } from "../../api-rest/tests/test-server.ts";
import { createHooksKey } from "./support/hooks-key.ts";
import { PROGRAM, TemporaryHome } from "./support/temporary-home.ts";

/** No letter of it is the same in every form. */
const VALUE = 'pa"ss wörd/+\\~42€';

let server: TestServer;
let home: TemporaryHome;
let key: string;

beforeAll(async () => {
  server = await startTestServer();
  key = await createHooksKey(server);
});
afterAll(() => server.close());
beforeEach(async () => {
  home = new TemporaryHome();
  home.configure(server.url, { key });
});
afterEach(async () => {
  home.close();
  const { body } = await server.withToken("GET", "/api/secrets");
  for (const { key } of body.data) await server.withToken("DELETE", `/api/secrets/${key}`);
});

async function store(key: string, value: string, grant: { command?: string; folder?: string } | null = {}) {
  await server.withToken("POST", "/api/secrets", { body: { key, value } });
  if (grant === null) return;
  const body = { command: process.execPath, folder: home.path, ...grant };
  expect((await server.withToken("POST", `/api/secrets/${key}/grants`, { body })).status).toBe(201);
}

/** Runs JavaScript as the command. */
const run = (secrets: readonly string[], script: string) =>
  home.run(["run", ...secrets.flatMap((secret) => ["--secret", secret]), "--", process.execPath, "-e", script]);

test("a command has the secret in its environment, and what it prints has its name instead", async () => {
  await store("TOKEN", VALUE);
  const isThere = `process.env.TOKEN === ${JSON.stringify(VALUE)} && process.env.OTHER === process.env.TOKEN`;
  expect(
    await run(["TOKEN", "TOKEN=OTHER"], `console.log(${isThere}, process.env.TOKEN); console.error(process.env.OTHER)`),
  ).toMatchObject({ exitCode: 0, stdout: "true [secret TOKEN]\n", stderr: "[secret TOKEN]\n" });
});

test("a value is masked in every form, also if it is printed in pieces", async () => {
  await store("TOKEN", VALUE);
  const forms = `
    const v = process.env.TOKEN;
    const b = Buffer.from(v);
    const all = [v, JSON.stringify(v).slice(1, -1), encodeURIComponent(v), encodeURIComponent(encodeURIComponent(v)),
      b.toString("hex"), b.toString("hex").toUpperCase(), b.toString("base64"), b.toString("base64url"),
      Buffer.concat([Buffer.from("x"), b]).toString("base64"), Buffer.concat([Buffer.from("xy"), b]).toString("base64"),
      [...v].map((c) => "\\\\u" + c.charCodeAt(0).toString(16).padStart(4, "0")).join(""),
      [...v].map((c) => "&#" + c.codePointAt(0) + ";").join(""), v.replaceAll(" ", "+")];
    const bytes = Buffer.from(all.join(" | "));
    for (const [at] of bytes.entries()) process.stdout.write(bytes.subarray(at, at + 1));`;
  const { stdout } = await run(["TOKEN"], forms);
  expect(stdout.match(/\[secret TOKEN\]/g)).toHaveLength(13);
  expect(stdout.replaceAll(/\[secret TOKEN\]| \| /g, "")).toMatch(/^e?(?:eA|eH|[\w=]){0,12}$/);
});

test("none of two hundred values is printed in any form", async () => {
  const values = Array.from(
    { length: 200 },
    (_, index) => `v${index}-${Buffer.from(`${index * 7919}`).toString("hex")}é!`,
  );
  for (let at = 0; at < values.length; at += 20) {
    const secrets = values.slice(at, at + 20).map((value, index) => ({ key: `S${at + index}`, value }));
    await Promise.all(secrets.map(({ key, value }) => store(key, value)));
    const { exitCode, stdout } = await run(
      secrets.map(({ key }) => key),
      `for (const key of ${JSON.stringify(secrets.map(({ key }) => key))}) {
        const v = process.env[key];
        console.log(v, JSON.stringify({ v }), encodeURIComponent(v), Buffer.from(v).toString("hex"), Buffer.from("a" + v + "b").toString("base64"));
      }`,
    );
    expect(exitCode).toBe(0);
    expect(stdout.match(/\[secret S\d+\]/g)).toHaveLength(5 * secrets.length);
    for (const { value } of secrets) {
      expect(stdout).not.toContain(value);
      expect(stdout).not.toContain(Buffer.from(value).toString("hex"));
    }
  }
});

test("what is not text is passed on as it is, and so are the exit code and a signal", async () => {
  await store("TOKEN", VALUE);
  const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7919) % 256));
  const script = `process.stdout.write(Buffer.from("${bytes.toString("hex")}", "hex"))`;
  const args = [PROGRAM, "run", "--secret", "TOKEN", "--", process.execPath, "-e", script];
  expect(execFileSync(process.execPath, args, { cwd: home.project, env: home.env })).toEqual(bytes);
  const copied = await home.run(
    ["run", "--secret", "TOKEN", "--", process.execPath, "-e", "process.stdin.pipe(process.stdout)"],
    { stdin: "typed\n" },
  );
  expect(copied.stdout).toBe("typed\n");
  expect((await run(["TOKEN"], "process.exit(7)")).exitCode).toBe(7);
  expect((await run(["TOKEN"], "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)")).exitCode).toBe(
    143,
  );
});

test("only the commands that a person has allowed get it, and only there", async () => {
  await store("TOKEN", VALUE, null);
  const refused = { exitCode: 125, stdout: "", stderr: expect.stringContaining("No rule of the secret TOKEN") };
  expect(await run(["TOKEN"], "console.log(1)")).toMatchObject(refused);
  await server.withToken("POST", "/api/secrets/TOKEN/grants", {
    body: { command: `${process.execPath}  -p`, folder: `${home.project}/packages/` },
  });
  expect(await run(["TOKEN"], "console.log(1)")).toMatchObject(refused);
  home.write("work/project/packages/a/x", "");
  const there = { cwd: `${home.project}/packages/a` };
  const print = (...args: string[]) => home.run(["run", "--secret=TOKEN", "--", process.execPath, ...args], there);
  expect(await print("-p", "1")).toMatchObject({ exitCode: 0, stdout: "1\n" });
  expect(await print("-pe", "1")).toMatchObject(refused);
  expect(await run(["NONE"], "1")).toMatchObject({ ...refused, stderr: expect.stringContaining("NONE") });
  const { body } = await server.withToken("GET", "/api/secrets/TOKEN/accesses");
  expect(body.data[0]).toMatchObject({
    action: "use",
    actor: `command:${process.execPath} -p 1 in ${there.cwd}`,
  });
  await print("-p", "2", `${"-".repeat(150)}${VALUE}`);
  const { body: log } = await server.withToken("GET", "/api/secrets/TOKEN/accesses");
  expect(log.data[0].actor).toContain("-[secret TOKEN]");
  const { body: grants } = await server.withToken("GET", "/api/secrets/TOKEN/grants");
  expect(grants.data).toMatchObject([{ command: `${process.execPath} -p`, folder: `${home.project}/packages` }]);
  await server.withToken("DELETE", `/api/secrets/TOKEN/grants/${grants.data[0].id}`);
  expect(await print("-p", "1")).toMatchObject(refused);
});

test("a value that cannot be masked, a program that is not there, and a wrong use are errors", async () => {
  await store("PIN", "1234");
  expect(await run(["PIN"], "1")).toMatchObject({ exitCode: 125, stderr: expect.stringContaining("too short") });
  await store("TOKEN", VALUE, { command: "no-such-program" });
  expect(await home.run(["run", "--secret", "TOKEN", "--", "no-such-program"])).toMatchObject({
    exitCode: 125,
    stderr: expect.stringContaining("ENOENT"),
  });
  for (const args of [["--secret", "TOKEN"], ["--secret", "token", "--", "ls"], ["--", "ls"], ["--secret"]])
    expect((await home.run(["run", ...args])).stderr).toContain("run --secret <name>");
});

test("the guard sees the command that is run with secrets", async () => {
  home.setPolicy({ version: 1, use: ["force-push-main"] });
  const pushed = await home.bash("workspace-hooks run --secret TOKEN -- git push --force origin main");
  expect(pushed.exitCode).toBe(2);
});
