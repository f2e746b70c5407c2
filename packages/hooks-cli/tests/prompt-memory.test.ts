import { setTimeout as pause } from "node:timers/promises";
import { estimateTokens } from "@workspace/core/token-estimate";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TemporaryHome, eventually, type RunOptions } from "./support/temporary-home.ts";
import { startSlowProxy } from "./support/slow-proxy.ts";
import { type FlakyServer, type StoredMemory, startFlakyServer } from "./support/flaky-server.ts";

const DAY_MS = 24 * 3_600_000;

let home: TemporaryHome;
let server: FlakyServer;

beforeEach(async () => {
  home = new TemporaryHome();
  server = await startFlakyServer();
  // More time than a nearby server needs, since this machine may be busy with other tests.
  home.configure(server.url, { contextDeadlineMs: 1_200 });
});

afterEach(async () => {
  await server.close();
  home.close();
});

function memory(id: string, content: string, daysAgo = 0): StoredMemory {
  return { id, chunkType: "decision", content, createdAt: new Date(Date.now() - daysAgo * DAY_MS).toISOString() };
}

const TUESDAYS = memory("11111111-1111-7111-8111-111111111111", "Releases go out on Tuesdays.", 23);
const VITEST = memory("22222222-2222-7222-8222-222222222222", "Tests run with vitest.");

/** What a prompt's hook adds to the session; empty without output. */
async function added(prompt: string, options: RunOptions = {}): Promise<string> {
  const { exitCode, stdout } = await home.hook("UserPromptSubmit", { prompt }, options);
  expect(exitCode).toBe(0);
  return stdout === "" ? "" : JSON.parse(stdout).hookSpecificOutput.additionalContext;
}

/** The prompts about which the server was asked. */
function questions(): URLSearchParams[] {
  return server.requests
    .filter(({ url }) => url.startsWith("/api/memory/context?"))
    .map(({ url }) => new URLSearchParams(url.slice(url.indexOf("?"))))
    .filter((parameters) => parameters.has("query"));
}

describe("a prompt", () => {
  test("is given what is relevant, with age and id, and the same never again", async () => {
    server.memories = [TUESDAYS];
    const context = await added("When is the next release?");
    expect(context).toMatch(/^<workspace-memory>\n[^]*\n<\/workspace-memory>$/);
    expect(context).toContain(`- [decision, 3 weeks ago, memory ${TUESDAYS.id}] Releases go out on Tuesdays.`);
    expect(questions()[0]?.get("query")).toBe("When is the next release?");
    expect(questions()[0]?.get("project")).toBe(home.project);
    server.memories = [TUESDAYS, VITEST];
    const second = await added("When is the next release, and are there tests?");
    expect(second).toContain(VITEST.content);
    expect(second).not.toContain("Tuesdays");
    expect(questions().map((question) => question.getAll("exclude"))).toEqual([[], [TUESDAYS.id]]);
    expect(await added("When is the next release, again?")).toBe("");
  });

  test("is given what no other prompt of its session is given at the same time", async () => {
    server.memories = [TUESDAYS];
    server.contextsAtOnce = 4;
    home.configure(server.url, { contextDeadlineMs: 10_000 });
    const prompts = Array.from({ length: server.contextsAtOnce }, () => added("When is the next release?"));
    const contexts = await Promise.all(prompts);
    expect(contexts.filter((context) => context.includes("Tuesdays"))).toHaveLength(1);
    expect(contexts.filter((context) => context === "")).toHaveLength(3);
    await home.run(["flush"]);
    expect(server.injections).toHaveLength(1);
  });

  test("that was given memories is reported when the session ends", async () => {
    server.memories = [TUESDAYS];
    await added("When is the next release?");
    expect(server.injections).toEqual([]);
    await home.hook("SessionEnd", { reason: "logout" });
    await eventually(() => server.injections.length > 0);
    expect(server.injections).toMatchObject([{ reason: "prompt", memoryIds: [TUESDAYS.id] }]);
  });

  test("is not given what the session was given at its start, unless its context is compacted", async () => {
    server.memories = [TUESDAYS];
    server.context = "Releases go out on Tuesdays.";
    await home.hook("SessionStart", { source: "startup" });
    expect(await added("When is the next release?")).toBe("");
    await home.hook("SessionStart", { source: "resume" });
    expect(await added("When is the next release?")).toBe("");
    server.context = "";
    await home.hook("SessionStart", { source: "compact" });
    expect(await added("When is the next release?")).toContain("Tuesdays");
  });

  test("leaves no output if nothing is relevant", async () => {
    const { exitCode, stdout, stderr } = await home.hook("UserPromptSubmit", { prompt: "Make the logo bigger." });
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(questions()).toHaveLength(1);
  });

  test("is given at most 300 tokens", async () => {
    server.memories = Array.from({ length: 20 }, (_, index) => memory(`id-${index}`, "Long and wide. ".repeat(200)));
    const context = await added("What is long and wide?");
    expect(estimateTokens(context)).toBeGreaterThan(200);
    expect(estimateTokens(context)).toBeLessThanOrEqual(300);
  });

  test.each([
    ["the end of a subagent", "<task-notification><result>The release is on Tuesday.</result></task-notification>"],
    ["our own memory", "<workspace-memory>\n- Releases go out on Tuesdays.\n</workspace-memory>"],
    ["Gemini's copy of it", "<hook_context>&lt;workspace-memory&gt; Releases go out.</hook_context>"],
    ["a single word", "continue"],
    ["a private part", "<private>When is the next release?</private>"],
  ])("that is only %s asks nothing", async (_what, prompt) => {
    server.memories = [TUESDAYS];
    expect(await added(prompt)).toBe("");
    expect(questions()).toEqual([]);
  });

  test("that a rule blocks is given nothing", async () => {
    server.memories = [TUESDAYS];
    home.setPolicy({ version: 1, rules: [{ id: "no", decision: "deny", when: { prompt: "release" } }] });
    const { exitCode, stdout } = await home.hook("UserPromptSubmit", { prompt: "When is the next release?" });
    expect(exitCode).toBe(2);
    expect(stdout).not.toContain("Tuesdays");
    expect(questions()).toEqual([]);
  });

  test("is asked about without secrets and private parts, in a request line of bounded length", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    await added(`Deploy the app with ${token} <private>to my house</private> ${"日本語の長い文章".repeat(2_000)}`);
    expect(questions()[0]?.get("query")).toMatch(/^Deploy the app with\s+日本語/);
    const url = server.requests.map((request) => request.url).find((text) => text.includes("query=")) ?? "";
    expect(url.length).toBeLessThan(8_000);
    for (const secret of [token, "house"]) expect(url).not.toContain(secret);
  });

  test.each([
    ["switched off", { WORKSPACE_HOOKS_MEMORY: "off" }],
    ["a child session", { CLAUDE_CODE_SESSION_ID: "its-parent" }],
  ])("asks nothing where memory is %s", async (_what, env) => {
    server.memories = [TUESDAYS];
    expect(await added("When is the next release?", { env })).toBe("");
    expect(questions()).toEqual([]);
  });

  test.each(["down", "hanging", "failing", "flapping", "unauthorized", "garbage"] as const)(
    "goes on without memory while the server is %s",
    async (behaviour) => {
      server.memories = [TUESDAYS];
      home.configure(behaviour === "down" ? "http://localhost:9" : server.url);
      if (behaviour !== "down") server.behaviour = behaviour;
      for (const prompt of ["When is the next release?", "And the one after the next?", "And then?"])
        expect((await home.hook("UserPromptSubmit", { prompt })).exitCode).toBe(0);
    },
  );

  test("is given memory again as soon as the server is back", async () => {
    server.memories = [TUESDAYS];
    home.configure("http://localhost:9");
    for (let count = 0; count < 5; count += 1) expect(await added("When is the next release?")).toBe("");
    home.configure(server.url);
    expect(await added("When is the next release?")).toContain(TUESDAYS.content);
    expect(home.read(".workspace-hooks/delivery.json")).toContain(`"failures":0`);
  });

  describe("of a server that hangs", () => {
    /** Nothing but the questions of prompts finds out about the server. */
    const env = { WORKSPACE_HOOKS_EVENTS: "off" };

    async function hang(): Promise<void> {
      server.behaviour = "hanging";
      for (let count = 0; count < 3; count += 1) await added("When is the next release?", { env });
    }

    /** On a busy machine it takes more than a moment to respond, and helpers of other prompts find out that it is back. */
    async function prompted(): Promise<string> {
      const endMs = Date.now() + 25_000;
      for (;;) {
        const context = await added("When is the next release?", { env });
        if (context !== "" || Date.now() > endMs) return context;
        await pause(50);
      }
    }

    test("does not wait for it again and again", async () => {
      home.configure(server.url, { contextDeadlineMs: 300 });
      await hang();
      home.configure(server.url, { contextDeadlineMs: 20_000 });
      const { durationMs } = await home.hook("UserPromptSubmit", { prompt: "When is the next release?" }, { env });
      expect(durationMs).toBeLessThan(15_000);
      expect(home.read(".workspace-hooks/delivery.json")).toContain(`"failures":3`);
    });

    test("is given memory again soon after it is back", async () => {
      server.memories = [TUESDAYS];
      home.configure(server.url, { contextDeadlineMs: 300 });
      await hang();
      server.behaviour = "up";
      expect(await prompted()).toContain(TUESDAYS.content);
    });

    test("is given it too where every response takes a while", async () => {
      server.memories = [TUESDAYS];
      await using proxy = await startSlowProxy(server.url, 60);
      home.configure(proxy.url, { contextDeadlineMs: 300 });
      await hang();
      server.behaviour = "up";
      expect(await prompted()).toContain(TUESDAYS.content);
      expect(home.read(".workspace-hooks/delivery.json")).toContain(`"failures":0`);
    });

    test("is given it at once if it is away by now, and then back", async () => {
      server.memories = [TUESDAYS];
      home.configure(server.url, { contextDeadlineMs: 300 });
      await hang();
      home.configure("http://localhost:9");
      expect(await added("When is the next release?", { env })).toBe("");
      home.configure(server.url, { contextDeadlineMs: 1_200 });
      server.behaviour = "up";
      expect(await added("When is the next release?", { env })).toContain(TUESDAYS.content);
    });
  });
});

describe("while the server is away, a prompt", () => {
  async function makeIndex(): Promise<void> {
    await home.hook("SessionStart", { session_id: "an-earlier-one", source: "startup" });
    await eventually(() => home.list(".workspace-hooks/indexes").some((name) => !name.startsWith(".")));
  }

  test("is given what a copy of the project's memories has about it, once", async () => {
    const others = Array.from({ length: 20 }, (_, index) =>
      memory(`id-${index}`, `Button ${index} has a blue colour.`),
    );
    server.memories = [TUESDAYS, ...others];
    await makeIndex();
    home.configure("http://localhost:9");
    const context = await added("When is the next release going out?");
    expect(context).toContain(`- [decision, 3 weeks ago, memory ${TUESDAYS.id}] Releases go out on Tuesdays.`);
    expect(context).not.toContain("Button");
    expect(await added("When is the next release going out?")).toBe("");
    expect(await added("Please write a poem about the sea.")).toBe("");
    home.configure(server.url);
    await home.run(["flush"]);
    await home.run(["flush"]);
    expect(server.injections).toEqual([
      {
        sessionId: "session-1",
        reason: "prompt",
        memoryIds: [TUESDAYS.id],
        subject: "When is the next release going out?",
        tokens: estimateTokens(context),
        givenAt: expect.any(String) as string,
      },
    ]);
  });

  test("of another project is given nothing", async () => {
    server.memories = [TUESDAYS];
    await makeIndex();
    home.configure("http://localhost:9");
    const elsewhere = { prompt: "When is the next release going out?", cwd: home.path };
    expect((await home.hook("UserPromptSubmit", elsewhere)).stdout).toBe("");
  });

  test("is not disturbed by an index that is broken", async () => {
    server.memories = [TUESDAYS];
    await makeIndex();
    const [name] = home.list(".workspace-hooks/indexes");
    home.write(`.workspace-hooks/indexes/${name}`, "{broken");
    home.configure("http://localhost:9");
    expect(await added("When is the next release going out?")).toBe("");
  });
});

describe("a file that is about to be read or changed", () => {
  const HOOKS = memory("hooks", "src/hook/run-hook.ts:120 must stay synchronous.", 8);
  const README = memory("readme", "README.md is checked for dead links.");

  async function contextOf(tool: string, path: string, session = "session-1"): Promise<string> {
    const payload = { session_id: session, tool_name: tool, tool_input: { file_path: path }, tool_use_id: "t" };
    const { exitCode, stdout } = await home.hook("PreToolUse", payload);
    expect(exitCode).toBe(0);
    if (stdout === "") return "";
    const { hookSpecificOutput } = JSON.parse(stdout);
    expect(Object.keys(hookSpecificOutput)).toEqual(["hookEventName", "additionalContext"]);
    return hookSpecificOutput.additionalContext;
  }

  beforeEach(async () => {
    server.memories = [HOOKS, README];
    await home.hook("SessionStart", { session_id: "an-earlier-one", source: "startup" });
    await eventually(() => home.list(".workspace-hooks/indexes").some((name) => !name.startsWith(".")));
  });

  test("comes with the memories that mention it, once in a session, without asking the server", async () => {
    server.requests.length = 0;
    const path = `${home.project}/packages/cli/src/hook/run-hook.ts`;
    const context = await contextOf("Read", path);
    expect(context).toContain(`- [decision, 8 days ago, memory ${HOOKS.id}] ${HOOKS.content}`);
    expect(context).not.toContain("README");
    expect(await contextOf("Edit", path)).toBe("");
    expect(await contextOf("Edit", path, "another")).toBe(context);
    expect(questions()).toEqual([]);
    expect(await added("Why must src/hook/run-hook.ts stay synchronous?")).not.toContain(HOOKS.id);
    await home.run(["flush"]);
    const report = { sessionId: "another", reason: "file", subject: path, memoryIds: [HOOKS.id] };
    expect(server.injections).toContainEqual(expect.objectContaining(report));
  });

  test("comes with them once, if several tools use it at the same time", async () => {
    const path = `${home.project}/src/hook/run-hook.ts`;
    const contexts = await Promise.all(Array.from({ length: 10 }, () => contextOf("Read", path)));
    expect(contexts.filter((context) => context !== "")).toHaveLength(1);
  });

  test("is recognised by its mere name only in the root of the project", async () => {
    expect(await contextOf("Write", "packages/cli/README.md")).toBe("");
    expect(await contextOf("Write", "run-hook.ts")).toBe("");
    expect(await contextOf("Write", "other/run-hook.ts")).toBe("");
    expect(await contextOf("Write", "README.md")).toContain(README.content);
  });

  test("is given nothing if a rule blocks the call, or for tools that do not name a file", async () => {
    home.setPolicy({ version: 1, rules: [{ id: "no", decision: "deny", when: { path: { in: "src/**" } } }] });
    const path = `${home.project}/src/hook/run-hook.ts`;
    const blocked = await home.hook("PreToolUse", { tool_name: "Read", tool_input: { file_path: path } });
    expect(blocked).toMatchObject({ exitCode: 2, stdout: expect.not.stringContaining("synchronous") as string });
    expect((await home.bash("cat README.md")).stdout).toBe("");
  });
});

describe("the settings of the dashboard", () => {
  const standard = { sessionStart: 2500, prompt: 300, file: 150 };

  test("say how much a project is given, from the next start of a session on", async () => {
    const none = { project: home.project, sessionStart: 0, prompt: 0, file: 0 };
    server.memories = [TUESDAYS];
    server.memorySettings = { standard, projects: [none], version: 1 };
    await home.hook("SessionStart", { session_id: "first", source: "startup" });
    await home.run(["flush"]);
    server.requests.length = 0;
    await home.hook("SessionStart", { session_id: "second", source: "startup" });
    expect(await added("When is the next release?")).toBe("");
    expect(server.requests.filter(({ url }) => url.startsWith("/api/memory/context"))).toEqual([]);
  });

  test("bound the tokens, with those for all projects where a project has none of its own", async () => {
    const other = { project: "github.com/ada/app", ...standard };
    server.memorySettings = { standard: { ...standard, prompt: 80 }, projects: [other], version: 1 };
    await home.run(["flush"]);
    server.memories = [memory("long", "Releases go out on Tuesdays. ".repeat(100))];
    const context = await added("When is the next release?");
    expect(context).toContain("Tuesdays");
    expect(context.length).toBeLessThanOrEqual(320);
  });
});

describe("the assistants", () => {
  test.each([
    ["codex", "UserPromptSubmit"],
    ["gemini-cli", "BeforeAgent"],
  ])("%s is given memories at %s", async (assistant, event) => {
    server.memories = [TUESDAYS];
    const { stdout } = await home.run(["run", event, "--for", assistant], {
      stdin: JSON.stringify({ session_id: "s", cwd: home.project, prompt: "When is the next release?" }),
    });
    const { hookSpecificOutput } = JSON.parse(stdout);
    expect(hookSpecificOutput).toMatchObject({
      hookEventName: event,
      additionalContext: expect.stringContaining("Tuesdays") as string,
    });
  });

  test("Cursor, which takes no context with a prompt, is not asked for", async () => {
    server.memories = [TUESDAYS];
    const { stdout } = await home.run(["run", "beforeSubmitPrompt", "--for", "cursor"], {
      stdin: JSON.stringify({ conversation_id: "s", cwd: home.project, prompt: "When is the next release?" }),
    });
    expect({ stdout, questions: questions() }).toEqual({ stdout: "", questions: [] });
  });
});
