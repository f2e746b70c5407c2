import { createHash } from "node:crypto";
import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestServer, startTestServer } from "../../api-rest/tests/test-server.ts";
import { createHooksKey } from "./support/hooks-key.ts";
import { TemporaryHome } from "./support/temporary-home.ts";

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
afterEach(() => home.close());

const TIME = "2026-01-05T10:00:00.000Z";

function writeLines(path: string, ...lines: object[]): void {
  home.write(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

async function storedTurns(sessionId: string): Promise<unknown> {
  const { body } = await server.withToken("GET", `/api/hooks/sessions/${sessionId}/transcript`);
  return body.data.turns.map(({ text }: { text: string }) => text);
}

async function storedUsage(sessionId: string): Promise<unknown> {
  const { rows } = await server.db.pool.query(
    `SELECT assistant, model, input_tokens, output_tokens, project_path FROM assistant_usage WHERE session_id = $1`,
    [sessionId],
  );
  return rows;
}

/** Records a prompt and its response in the form of Codex. */
function writeRollout(id: string, meta: object = {}): void {
  const message = (role: string, type: string, text: string) => ({
    type: "response_item",
    timestamp: TIME,
    payload: { type: "message", role, content: [{ type, text }] },
  });
  const last = { input_tokens: 90, cached_input_tokens: 40, output_tokens: 7 };
  writeLines(
    `.codex/sessions/2026/01/05/rollout-2026-01-05T10-00-00-${id}.jsonl`,
    { type: "session_meta", timestamp: TIME, payload: { id, cwd: home.project, source: "cli", ...meta } },
    { type: "turn_context", timestamp: TIME, payload: { cwd: home.project, model: "gpt-5.1-codex" } },
    message("user", "input_text", "Sort the list."),
    message("assistant", "output_text", "Sorted."),
    {
      type: "event_msg",
      timestamp: TIME,
      payload: {
        type: "token_count",
        info: { total_token_usage: { total_tokens: 97 }, last_token_usage: last },
      },
    },
  );
}

describe("past sessions are imported under the names that their hooks would have given", () => {
  test("from Codex, with usage and model", async () => {
    writeRollout("01a209c6-4243-7112-8650-ddee1d00e486");
    expect((await home.run(["import"])).stdout).toContain("1 response added, 0 updated; 1 session to read");
    expect(await storedTurns("01a209c6-4243-7112-8650-ddee1d00e486")).toEqual(["Sort the list.", "Sorted."]);
    expect(await storedUsage("01a209c6-4243-7112-8650-ddee1d00e486")).toEqual([
      {
        assistant: "codex",
        model: "gpt-5.1-codex",
        input_tokens: 50,
        output_tokens: 7,
        project_path: expect.stringContaining("project"),
      },
    ]);
    expect((await home.run(["import"])).stdout).toContain("0 responses added, 0 updated; 0 sessions to read");
  });

  test("from Codex, where a subagent's session counts as usage only", async () => {
    writeRollout("01a209c6-0000-7112-8650-ddee1d00e487", { thread_source: "subagent", session_id: "parent-session" });
    expect((await home.run(["import"])).stdout).toContain("1 response added, 0 updated; 0 sessions to read");
    expect(await storedUsage("parent-session")).toMatchObject([{ assistant: "codex" }]);
  });

  test("for memory once, unless they have grown", async () => {
    const said = "Releases go out on Tuesdays, since nobody wants to repair them at the weekend. ".repeat(5);
    const line = JSON.stringify({ type: "user", cwd: home.project, message: { role: "user", content: said } });
    home.write(".claude/projects/-work/releases.jsonl", `${line}\n`);
    expect((await home.run(["import", "--memory"])).stdout).toContain("1 session uploaded for memory, 0 left");
    expect((await home.run(["import", "--memory"])).stdout).toContain("0 sessions uploaded for memory, 0 left");
    home.write(".claude/projects/-work/releases.jsonl", `${line}\n${line}\n`);
    expect((await home.run(["import", "--memory"])).stdout).toContain("1 session uploaded for memory, 0 left");
  });

  test("from Gemini CLI, with the folder from its list of projects", async () => {
    home.write(".gemini/projects.json", JSON.stringify({ projects: { [home.project]: "shop" } }));
    home.write("work/project/.workspace-hooks.json", '{"memory": false}');
    const id = "e2bc5ca1-9b98-4a1a-a923-35cd7e5c4974";
    writeLines(
      ".gemini/tmp/shop/chats/session-2026-01-05T10-00-e2bc5ca1.jsonl",
      { sessionId: id, projectHash: "5f681a82", startTime: TIME, kind: "main" },
      { id: "1", timestamp: TIME, type: "user", content: [{ text: "Where is the cart?" }] },
      {
        id: "2",
        timestamp: TIME,
        type: "gemini",
        content: "In cart.ts.",
        model: "gemini-2.5-pro",
        tokens: { input: 30, output: 4, cached: 0, thoughts: 1, tool: 0, total: 35 },
      },
    );
    const withheld = await home.run(["import"]);
    expect(withheld.stdout).toContain("Not sent, since memory is off in their projects: 1 session.");
    home.write("work/project/.workspace-hooks.json", "{}");
    await home.run(["import"]);
    expect(await storedTurns(id)).toEqual(["Where is the cart?", "In cart.ts."]);
    expect(await storedUsage(id)).toMatchObject([{ assistant: "gemini-cli", output_tokens: 5 }]);
  });

  test("from earlier releases of Gemini CLI, which kept a session in one document", async () => {
    home.write(".gemini/projects.json", JSON.stringify({ projects: { [home.project]: "shop" } }));
    const id = "0d6ba7b8-0000-4a1a-a923-35cd7e5c4975";
    const folder = `.gemini/tmp/${createHash("sha256").update(home.project).digest("hex")}/chats`;
    const messages = [
      { id: "old-1", timestamp: TIME, type: "user", content: "Where is the cart?" },
      {
        id: "old-2",
        timestamp: TIME,
        type: "gemini",
        content: "In cart.ts.",
        model: "gemini-2.5-pro",
        tokens: { input: 30, output: 4, cached: 0, thoughts: 1, tool: 0, total: 35 },
      },
    ];
    const session = { sessionId: id, projectHash: "5f681a82", startTime: TIME, lastUpdated: TIME, messages };
    home.write(`${folder}/session-2025-10-05T10-00-0d6ba7b8.json`, JSON.stringify(session, null, 2));
    home.write(`${folder}/session-2025-10-05T11-00-broken.json`, "{");
    expect((await home.run(["import"])).stdout).toContain("1 response added, 0 updated; 1 session to read");
    expect(await storedTurns(id)).toEqual(["Where is the cart?", "In cart.ts."]);
    expect(await storedUsage(id)).toMatchObject([
      { assistant: "gemini-cli", output_tokens: 5, project_path: expect.stringContaining("project") as string },
    ]);
    expect((await home.run(["import"])).stdout).toContain("0 responses added, 0 updated; 0 sessions to read");
  });

  test("from opencode, by its own command, of the project in which it is run", async () => {
    const message = (id: string, role: string, text: string, more: object = {}) => ({
      info: { id, role, time: { created: Date.parse(TIME) }, ...more },
      parts: [{ type: "text", text }],
    });
    const tokens = { input: 12, output: 3, reasoning: 0, cache: { read: 0, write: 0 } };
    const session = {
      info: { id: "ses_1", directory: home.project },
      messages: [
        message("msg_1", "user", "Rename it."),
        message("msg_2", "assistant", "Renamed.", { modelID: "claude-sonnet-4-5", tokens }),
      ],
    };
    home.write("exported.json", JSON.stringify(session));
    const program = `#!/bin/sh
case "$*" in
"session list --format json --pure") echo '[{"id": "ses_1"}, {"id": "ses_gone"}]' ;;
"export ses_1 --pure") cat "${home.path}/exported.json" ;;
*) echo "Session not found" >&2; exit 1 ;;
esac
`;
    chmodSync(home.write("bin/opencode", program), 0o755);
    const env = { PATH: [join(home.path, "bin"), home.env["PATH"]].join(delimiter) };
    const { stdout } = await home.run(["import"], { env });
    expect(stdout).toContain("1 response added, 0 updated; 1 session to read");
    expect(await storedTurns("ses_1")).toEqual(["Rename it.", "Renamed."]);
    expect(await storedUsage("ses_1")).toMatchObject([{ assistant: "opencode", input_tokens: 12 }]);
  });
});
