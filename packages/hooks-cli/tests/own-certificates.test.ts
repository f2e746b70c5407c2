import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FlakyServer, startFlakyServer } from "./support/flaky-server.ts";
import { TemporaryHome, runProcess } from "./support/temporary-home.ts";

const CERTIFICATE = join(import.meta.dirname, "support/tls/localhost.crt");
const KEY = join(import.meta.dirname, "support/tls/localhost.key");

let home: TemporaryHome;
let server: FlakyServer;

beforeEach(async () => {
  home = new TemporaryHome();
  server = await startFlakyServer();
});

afterEach(async () => {
  await server.close();
  home.close();
});

test("hooks trust a user's own certificates, and Node does not read them at every start", async () => {
  await home.run(["install", "--server", server.url, "--key", "wk_0123456789abcdef"]);
  const received: string[] = [];
  const secure = createServer({ key: readFileSync(KEY), cert: readFileSync(CERTIFICATE) }, (request, response) => {
    received.push(request.url ?? "");
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(secure, "listening");
  const { port } = secure.address() as AddressInfo;
  home.configure(`https://localhost:${port}`);
  const { hooks } = JSON.parse(home.read(".claude/settings.json") ?? "");
  const { command } = hooks["UserPromptSubmit"][0].hooks[0];
  // What Node would read at the start, it warns about if it is not there.
  const submit = (env: Record<string, string>) =>
    runProcess("/bin/sh", ["-c", command], {
      stdin: JSON.stringify({ session_id: "s", cwd: home.project, prompt: "How do the tests run?" }),
      env: { ...home.env, ...env },
      cwd: "/",
    });
  try {
    await submit({ NODE_EXTRA_CA_CERTS: CERTIFICATE });
    expect(received).not.toEqual([]);
    received.length = 0;
    const { stderr } = await submit({ NODE_EXTRA_CA_CERTS: "/no/such/file" });
    expect(received).toEqual([]);
    expect(stderr).toBe("");
  } finally {
    secure.close();
  }
});
