import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verdictOn } from "../src/commands/call-proof.ts";
import { TemporaryHome } from "./support/temporary-home.ts";
import { type FlakyServer, startFlakyServer } from "./support/flaky-server.ts";

let home: TemporaryHome;
let server: FlakyServer;

beforeEach(async () => {
  home = await new TemporaryHome().addProgram();
  server = await startFlakyServer();
});

afterEach(async () => {
  await server.close();
  home.close();
});

/** Puts a program into the PATH in place of an assistant: it does what a script for `sh` says. */
async function doctor(harness: string, script?: string): Promise<string> {
  await home.run(["install", "--server", server.url, "--key", "wk_given", "--for", harness]);
  const command = { "claude-code": "claude", codex: "codex" }[harness] ?? harness;
  if (script !== undefined) chmodSync(home.write(`bin/${command}`, `#!/bin/sh\n${script}\n`), 0o755);
  const PATH = script === undefined ? home.path : `${join(home.path, "bin")}:${home.env["PATH"]}`;
  return (await home.run(["doctor", "--self-test"], { env: { PATH } })).stdout;
}

const callHook = (harness: string): string =>
  `echo '{}' | ${process.execPath} "$HOME/.workspace-hooks/bin/workspace-hooks.cjs" run SessionStart --for ${harness}; sleep 60`;

describe("doctor", () => {
  test("proves by a real event that an assistant calls the hooks, and nothing is recorded of it", async () => {
    expect(await doctor("claude-code", callHook("claude-code"))).toContain("✓ Claude Code calls the hooks\n");
    expect(server.events.size + home.spooled.length).toBe(0);
  });

  test("claims nothing of an assistant that it cannot start", async () => {
    const output = await doctor("claude-code");
    expect(output).toContain("– Claude Code calls the hooks: there is no claude in the PATH");
    expect(output).not.toContain("✗");
  });

  test.each([
    [".claude/settings.json", "work/project"],
    ["work/project/.claude/settings.json", "work/project"],
    ["work/project/.claude/settings.local.json", "work/project/sub"],
  ])(
    "names the setting in %s by which hooks are switched off, also of an assistant that it cannot start",
    async (name, cwd) => {
      home.setPolicy({ version: 1, packs: ["safe"] });
      await home.run(["install", "--server", server.url, "--key", "wk_given", "--for", "claude-code"]);
      const settings = JSON.parse(home.read(name) ?? "{}") as object;
      home.write(name, JSON.stringify({ ...settings, disableAllHooks: true }));
      home.write("work/project/.git/HEAD", "ref: refs/heads/main\n");
      home.write("work/project/sub/a.txt", "");
      const { exitCode, stdout } = await home.run(["doctor", "--self-test"], {
        env: { PATH: home.path },
        cwd: join(home.path, cwd),
      });
      expect(stdout).toContain("✗ Claude Code calls the hooks: none of them: disableAllHooks is set in");
      expect(stdout).not.toMatch(/✓ .*Claude Code (?:calls|obeys)/);
      expect(exitCode).toBe(1);
    },
  );

  test.each(["disableAllHooks", "allowManagedHooksOnly"])(
    "names the setting %s by which hooks are switched off",
    async (name) => {
      home.write(".claude/settings.json", JSON.stringify({ [name]: true }));
      expect(await doctor("claude-code", "exit 0")).toContain(
        `✗ Claude Code calls the hooks: it was started and called none: ${name} is set in`,
      );
    },
  );

  test("knows that an assistant calls no hook when it asks its model without having called one", async () => {
    const ask = `${process.execPath} -e "fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {method: 'POST', body: process.argv[1]})" "$2"; sleep 60`;
    expect(await doctor("claude-code", ask)).toContain(
      "✗ Claude Code calls the hooks: it was started and called none\n",
    );
  });

  test("claims nothing of an assistant that is still starting", () => {
    expect(verdictOn("late", "called", "")).toEqual({
      failure: undefined,
      unproven: expect.stringContaining("in 60 s"),
    });
    expect(verdictOn("late", undefined, ": disabled").failure).toContain(": disabled");
  });

  test("finds that Codex skips hooks that nobody has trusted", async () => {
    const trusting = `case "$*" in *--dangerously-bypass-hook-trust*) ${callHook("codex")};; esac`;
    expect(await doctor("codex", trusting)).toContain("✗ Codex calls the hooks: it skips them until you trust them");
  });

  test("says that nothing is learnt as long as the server has no model", async () => {
    server.hasModel = false;
    const output = await doctor("claude-code");
    expect(output).toContain("– the server extracts memories from sessions: it has no model");
  });

  test.each(["codex", "gemini-cli", "cursor", "opencode"])(
    "fires the rules through the hooks of %s",
    async (harness) => {
      home.setPolicy({
        version: 1,
        use: ["delete-outside-project", "write-outside-project"],
        rules: [
          { id: "cards", decision: "deny", when: { prompt: "[0-9]{4}-[0-9]{4}" }, examples: { match: ["1234-5678"] } },
          { id: "root", decision: "warn", when: { command: { program: "sudo" } }, examples: { match: ["sudo ls"] } },
        ],
      });
      const output = await doctor(harness);
      expect(output.match(/^✓ rule .* the hooks reply/gm)).toHaveLength(4);
      expect(output).not.toContain("✗");
    },
  );
});
