import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PROGRAM, TemporaryHome, eventually, runProcess } from "./support/temporary-home.ts";
import { type FlakyServer, startFlakyServer } from "./support/flaky-server.ts";

let home: TemporaryHome;
let server: FlakyServer;

beforeEach(async () => {
  home = new TemporaryHome();
  server = await startFlakyServer();
  home.configure(server.url);
});

afterEach(async () => {
  await server.close();
  home.close();
});

describe("an event", () => {
  test("is on the server or in the spool when the hook has exited, and arrives once", async () => {
    const { exitCode, stdout } = await home.hook("UserPromptSubmit", { prompt: "please" });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    // A hook that the assistant waits for gives the server only a few milliseconds, which a busy machine may not be able to keep.
    expect(server.events.size + home.spooled.length).toBeGreaterThanOrEqual(1);
    await home.run(["flush"]);
    expect({ events: server.events.size, spooled: home.spooled }).toEqual({ events: 1, spooled: [] });
  });

  test("of a tool call that no rule matches is sent in one request together with its outcome", async () => {
    // After the first one, a helper watches the session, and sends what is pending.
    await home.bash("npm ci");
    await eventually(() => home.isWatched && home.spooled.length === 0);
    server.requests.length = 0;
    server.events.clear();
    const { exitCode, stdout } = await home.bash("npm test");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    // The helper goes on watching, with requests of its own.
    const posts = () => server.requests.filter(({ method }) => method === "POST");
    expect({ waiting: home.spooled.length, posts: posts() }).toEqual({ waiting: 1, posts: [] });
    await home.hook("PostToolUse", { tool_name: "Bash", tool_response: { stdout: "ok" } });
    expect(posts()).toHaveLength(1);
    expect([...server.events.values()].map(({ eventType }) => eventType).toSorted()).toEqual([
      "PostToolUse",
      "PreToolUse",
    ]);
    expect(home.spooled).toEqual([]);
    expect([...server.events.values()].find(({ eventType }) => eventType === "PreToolUse")).toMatchObject({
      eventType: "PreToolUse",
      sessionId: "session-1",
      projectDir: home.project,
      toolName: "Bash",
      toolMatcher: "*",
      exitCode: 0,
      blocked: false,
      hookScript: PROGRAM,
      eventData: { harness: "claude-code", toolInput: { command: "npm test" }, toolUseId: "toolu_1" },
    });
    expect(posts()[0]?.headers["authorization"]).toBe("Bearer wk_0123456789abcdef");
  });

  test("has exactly the fields of the contract", async () => {
    await home.hook("SessionEnd", { reason: "other" });
    await home.run(["flush"]);
    expect(server.events.size).toBe(1);
    const fields = [
      "blocked",
      "durationMs",
      "eventData",
      "eventType",
      "exitCode",
      "hookScript",
      "id",
      "occurredAt",
      "projectDir",
      "sessionId",
    ];
    expect(Object.keys([...server.events.values()][0] ?? {}).toSorted()).toEqual(fields);
  });

  test("is sent without secrets, private parts and characters that a database rejects", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    await home.hook("UserPromptSubmit", {
      prompt: `use ${token} <private>my address</private> \u0000 and wk_0123456789abcdef`,
    });
    await home.run(["flush"]);
    expect(server.events.size).toBe(1);
    const stored = JSON.stringify([...server.events.values()]);
    for (const secret of [token, "my address", String.raw`\u0000`, "wk_0123456789abcdef"])
      expect(stored).not.toContain(secret);
  });

  test("names its folder and project, also where the path as a whole looks random", async () => {
    const cwd = join(home.path, "work-4ioyWm/codex-0.169.0/Project7aB");
    mkdirSync(cwd, { recursive: true });
    await home.hook("UserPromptSubmit", { prompt: "please", cwd });
    await home.run(["flush"]);
    expect([...server.events.values()]).toMatchObject([{ projectDir: cwd, eventData: { project: cwd } }]);
  });

  test("of a large call is truncated to a small size", async () => {
    await home.hook("PreToolUse", {
      tool_name: "Write",
      tool_input: { file_path: "a", content: "x".repeat(3_000_000) },
    });
    expect(JSON.stringify(home.spooledEvents).length).toBeLessThan(20_000);
  });

  test("waits in a private file while the server is down, and is sent with the next hook that has time", async () => {
    server.behaviour = "failing";
    await home.bash("one");
    expect(home.spooled).toHaveLength(1);
    server.behaviour = "up";
    await home.run(["flush"]);
    expect(server.events.size).toBe(1);
    expect(home.spooled).toEqual([]);
  });

  test("that the server rejects does not delay the others", async () => {
    server.behaviour = "failing";
    await home.bash("one");
    await home.hook("UserPromptSubmit", { prompt: "two" });
    await home.bash("three");
    server.behaviour = "up";
    server.refusedType = "UserPromptSubmit";
    await home.run(["flush"]);
    expect(server.events.size).toBe(2);
    expect(home.list(".workspace-hooks/rejected")).toHaveLength(1);
    const { stdout } = await home.run(["status"]);
    expect(stdout).toContain("Refused by the server: 1");
  });

  test("beyond the limit is dropped and counted", async () => {
    home.configure("http://localhost:9", { maxSpooledEvents: 2 });
    for (const command of ["one", "two", "three", "four"]) await home.bash(command);
    expect(home.spooled).toHaveLength(2);
    expect((await home.run(["status"])).stdout).toContain("Dropped: 2");
  });

  test("is not recorded if recording is off, by environment, project or configuration", async () => {
    await home.bash("x", { env: { WORKSPACE_HOOKS_EVENTS: "off" } });
    await home.bash("x", { env: { WORKSPACE_HOOKS: "off" } });
    home.write("work/project/.workspace-hooks.json", '{"events": false}');
    await home.bash("x");
    home.write("work/project/.workspace-hooks.json", "{}");
    await home.run(["events", "off", "--here"]);
    await home.bash("x");
    expect(server.requests).toHaveLength(0);
    await home.run(["events", "on", "--here"]);
    await home.hook("UserPromptSubmit", { prompt: "x" });
    await home.run(["flush"]);
    expect(server.events.size).toBe(1);
  });
});

describe("a refusal", () => {
  beforeEach(() =>
    home.setPolicy({ version: 1, use: ["delete-outside-project", "write-outside-project", "read-env-files"] }),
  );

  test("is exit code 2, valid JSON, a reason, and recorded", async () => {
    const { exitCode, stdout, stderr } = await home.bash("sudo rm -rf /etc");
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" },
    });
    expect(stderr).toContain("delete-outside-project");
    await home.run(["flush"]);
    expect(server.events.size).toBe(1);
    expect([...server.events.values()][0]).toMatchObject({
      blocked: true,
      exitCode: 2,
      blockReason: expect.stringContaining("outside the project") as string,
    });
  });

  test("is effective even if the server is down, the disk is full and the configuration is broken", async () => {
    home.write(".workspace-hooks/config.json", "{broken");
    home.write(".workspace-hooks/spool", "a file where the folder should be");
    const { exitCode } = await home.bash("rm -rf /");
    expect(exitCode).toBe(2);
  });

  test("asks if the rule says so", async () => {
    const { exitCode, stdout } = await home.bash("echo x > /etc/hosts");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "ask" } });
  });

  test("applies to a link that points to a protected file", async () => {
    home.write("work/project/.env", "SECRET=1");
    symlinkSync(".env", join(home.project, "harmless.txt"));
    const read = await home.hook("PreToolUse", { tool_name: "Read", tool_input: { file_path: "harmless.txt" } });
    expect(read.exitCode).toBe(2);
    mkdirSync(join(home.path, "elsewhere"));
    symlinkSync(join(home.path, "elsewhere"), join(home.project, "inside"));
    expect((await home.bash("rm -rf inside/x")).exitCode).toBe(2);
  });

  test("blocks a prompt, and a warning is shown", async () => {
    home.setPolicy({
      version: 1,
      rules: [
        {
          id: "no-cards",
          decision: "deny",
          reason: "Card numbers stay here.",
          when: { prompt: "[0-9]{4}-[0-9]{4}-[0-9]{4}" },
        },
        { id: "sudo", decision: "warn", reason: "As root.", when: { command: { program: "sudo" } } },
      ],
    });
    const prompt = await home.hook("UserPromptSubmit", { prompt: "pay with 1234-1234-1234" });
    expect(prompt.exitCode).toBe(2);
    expect(JSON.parse(prompt.stdout)).toMatchObject({ decision: "block" });
    const warned = await home.bash("sudo ls");
    expect(warned.exitCode).toBe(0);
    expect(JSON.parse(warned.stdout)).toMatchObject({ systemMessage: expect.stringContaining("As root.") as string });
  });

  test("follows the last good policy if the file is broken, and says so", async () => {
    expect((await home.bash("rm -rf /")).exitCode).toBe(2);
    home.setPolicy('{"version": 1, "rules": [{"id": "x"}]}');
    const { exitCode, stderr } = await home.bash("rm -rf /");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("policy.json is broken: rules.0.decision");
    const start = await home.hook("SessionStart", { source: "startup" });
    expect(JSON.parse(start.stdout)).toMatchObject({
      systemMessage: expect.stringContaining("last good version") as string,
    });
    expect((await home.run(["status"])).stdout).toContain("is broken");
  });

  test("can come from the server's policy, once it has been fetched", async () => {
    home.setPolicy({ version: 1 });
    server.policy = {
      version: 3,
      document: { version: 1, rules: [{ id: "no-x", decision: "deny", when: { command: { program: "x" } } }] },
    };
    await home.hook("SessionStart", { source: "startup" });
    expect((await home.bash("x --now")).exitCode).toBe(2);
    server.policy = { version: 4, document: {} };
    await home.run(["flush"]);
    expect((await home.bash("x --now")).exitCode).toBe(0);
  });

  test.each([
    ["claude-code", "PreToolUse", { tool_name: "Monitor", tool_input: { command: "rm -rf /" } }],
    [
      "claude-code",
      "PreToolUse",
      { tool_name: "Bash", tool_input: { command: `echo ${"$(".repeat(10)}rm -rf /${")".repeat(10)}` } },
    ],
    ["codex", "PreToolUse", { tool_name: "Bash", tool_input: { command: "rm -rf /" } }],
    [
      "codex",
      "PreToolUse",
      {
        tool_name: "apply_patch",
        tool_input: { command: "*** Begin Patch\n*** Update File: /etc/hosts\n*** End Patch" },
      },
    ],
    ["gemini-cli", "BeforeTool", { tool_name: "run_shell_command", tool_input: { command: "rm -rf /" } }],
    ["gemini-cli", "BeforeTool", { tool_name: "read_file", tool_input: { file_path: ".env" } }],
    ["cursor", "preToolUse", { tool_name: "Shell", tool_input: { command: "rm -rf /" }, conversation_id: "c" }],
    ["opencode", "PreToolUse", { tool_name: "bash", tool_input: { command: "rm -rf /" } }],
  ])("is effective in %s, whose event is %s", async (assistant, event, payload) => {
    const { exitCode, stdout, stderr } = await home.run(["run", event, "--for", assistant], {
      stdin: JSON.stringify({ cwd: home.project, ...payload }),
    });
    expect(exitCode).toBe(2);
    expect(stderr).not.toBe("");
    expect(stdout).toMatch(/"(?:permissionDecision|decision|permission)":"deny"/);
  });
});

describe("whatever is broken, the exit code is quickly 0", () => {
  const call = JSON.stringify({ session_id: "s", tool_name: "Bash", tool_input: { command: "ls" } });

  test.each([
    "",
    "{",
    "null",
    "[]",
    '"text"',
    "\u0000\u0001",
    "{}",
    '{"tool_input": 5, "session_id": {}}',
    `{"a":${"[".repeat(50_000)}`,
  ])("input %j", async (stdin) => {
    for (const event of ["PreToolUse", "SessionStart"]) {
      const { exitCode, durationMs } = await home.run(["run", event], { stdin });
      expect(exitCode).toBe(0);
      expect(durationMs).toBeLessThan(10_000);
    }
  });

  test.each(["down", "hanging", "failing", "flapping", "unauthorized", "garbage"] as const)(
    "server %s",
    async (behaviour) => {
      if (behaviour === "down") home.configure("http://localhost:9");
      else server.behaviour = behaviour;
      for (const event of ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SessionEnd"]) {
        const { exitCode, durationMs } = await home.hook(event, {
          tool_name: "Bash",
          tool_input: { command: "ls" },
          prompt: "x",
          source: "startup",
        });
        expect([event, exitCode]).toEqual([event, 0]);
        expect(durationMs).toBeLessThan(10_000);
      }
    },
  );

  test("no home, no configuration, no event of that name, no assistant of that name", async () => {
    const outcomes = await Promise.all([
      home.run(["run", "PreToolUse"], { stdin: call, env: { HOME: "/nonexistent" } }),
      home.run(["run", "NoSuchEvent"], { stdin: call }),
      home.run(["run"], { stdin: call }),
      home.run(["run", "PreToolUse", "--for", "nobody"], { stdin: call }),
      home.run(["run", "PreToolUse"], { stdin: call, cwd: "/" }),
      home.run(["run", "PreToolUse"], { stdin: call, env: { WORKSPACE_HOOKS_HOME: "/proc/nothing" } }),
      home.run(["run", "PreToolUse"], { stdin: call, env: { WORKSPACE_HOOKS_HOME: PROGRAM } }),
    ]);
    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual(outcomes.map(() => 0));
  });

  test("corrupt files of ours", async () => {
    for (const name of ["delivery.json", "policies/accepted-local.json", "ledger.json", "import.json", "problems.log"])
      home.write(`.workspace-hooks/${name}`, "\u0000{]");
    home.setPolicy("nonsense");
    expect((await home.bash("rm -rf /")).exitCode).toBe(0);
    expect((await home.hook("SessionStart", { source: "startup" })).exitCode).toBe(0);
  });

  test("a standard input that is never closed", async () => {
    const script = `(printf '%s' '${call}'; sleep 3) | "$NODE" "${PROGRAM}" run PreToolUse; echo "code $?"`;
    const { stdout } = await runProcess("/bin/sh", ["-c", script.replace("; sleep 3", "; exec sleep 1")], {
      env: { ...home.env, NODE: process.execPath },
      cwd: home.project,
    });
    expect(stdout).toBe("code 0\n");
    const silent = await runProcess(
      "/bin/sh",
      ["-c", `sleep 2 | "$NODE" "${PROGRAM}" run PreToolUse; echo "code $?"`],
      { env: { ...home.env, NODE: process.execPath }, cwd: home.project },
    );
    expect(silent.stdout).toBe("code 0\n");
  });

  test("a large input in pieces", async () => {
    const payload = { session_id: "s", cwd: home.project, hook_event_name: "PreToolUse", tool_name: "Write" };
    const input = JSON.stringify({ ...payload, tool_input: { file_path: "a", content: "{x}".repeat(300_000) } });
    const stdin = [input.slice(0, 500_000), input.slice(500_000)];
    const options = { stdin, env: { ...home.env, NODE: process.execPath }, cwd: home.project };
    const command = `cat | "$NODE" "${PROGRAM}" run PreToolUse; echo "code $?"`;
    const { stdout, stderr } = await runProcess("/bin/sh", ["-c", command], options);
    expect({ stdout, stderr }).toEqual({ stdout: "code 0\n", stderr: "" });
    // The helper that the hook has started may have sent it by now, or be sending it.
    await home.run(["flush"]);
    await eventually(() => server.events.size > 0);
    expect([...server.events.values()]).toMatchObject([{ eventType: "PreToolUse", toolName: "Write" }]);
  });

  test.each([
    ["refuses", "http://127.0.0.1:9", /connect ECONNREFUSED 127\.0\.0\.1:9/],
    ["has no such name", "http://nowhere.invalid", /getaddrinfo/],
  ])("a server that %s", async (_name, url, message) => {
    home.configure(url);
    await home.bash("ls");
    expect((await home.run(["flush"])).stdout).toMatch(message);
  });

  test("and the failure is logged", async () => {
    home.write(".workspace-hooks/spool", "a file where the folder should be");
    await home.bash("ls");
    expect(readFileSync(join(home.root, "problems.log"), "utf8")).toContain("could not be stored");
    // The server gets it nevertheless, unless it is too slow for a hook that the assistant waits for.
    for (let repeats = 0; server.events.size === 0 && repeats < 10; repeats += 1) await home.bash("ls");
    expect(server.events.size).toBe(1);
  });
});
