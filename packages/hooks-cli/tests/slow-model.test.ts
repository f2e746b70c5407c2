import { expect, test } from "vitest";
import { startTestServer } from "../../api-rest/tests/test-server.ts";
import { startModelDouble } from "../../core/testing/model-double.ts";
import { createHooksKey } from "./support/hooks-key.ts";
import { TemporaryHome } from "./support/temporary-home.ts";

const CONTENT = "Herons sleep on the roof.";

test("a session is over without an alarm while the model still extracts its memories, and they are stored", async () => {
  const model = await startModelDouble();
  const env = { OPENAI_API_KEY: "test", OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: "gpt-4.1" };
  const server = await startTestServer(env);
  const home = new TemporaryHome();
  home.configure(server.url, { key: await createHooksKey(server) });
  const memory = { type: "fact", content: CONTENT, excerpt: "Herons sleep on the roof", relevance: 0.9 };
  let respond = (): void => undefined;
  const after = new Promise<void>((resolve) => (respond = resolve));
  model.replyAlways({ text: JSON.stringify({ memories: [memory] }), after });
  const lines = Array.from({ length: 8 }, (_, index) => {
    const message = { role: "user", content: `Herons sleep on the roof, point ${index}.` };
    return `${JSON.stringify({ type: "user", cwd: home.project, message })}\n`;
  });
  const transcript_path = home.write("slow.jsonl", lines.join(""));

  await home.hook("SessionStart", { transcript_path, source: "startup" });
  const end = await home.hook("SessionEnd", { transcript_path, reason: "other" });
  expect(end).toMatchObject({ exitCode: 0, stderr: "" });
  await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(await home.run(["flush"])).toMatchObject({ exitCode: 0, stderr: "" });
  const status = await home.run(["status"]);
  expect(status.exitCode).toBe(0);
  expect(status.stdout).toContain("Pending: 0 events, 0 sessions");
  expect(home.read(".workspace-hooks/problems.log")).toBeUndefined();

  const memories = async () => JSON.stringify((await server.withToken("GET", "/api/memory?limit=1000")).body.data);
  expect(await memories()).not.toContain(CONTENT);
  respond();
  await expect.poll(memories, { timeout: 10_000 }).toContain(CONTENT);
  home.close();
  await server.close();
  await model.close();
});
