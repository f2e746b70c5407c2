import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TemporaryHome, runProcess } from "./support/temporary-home.ts";
import { type FlakyServer, startFlakyServer } from "./support/flaky-server.ts";

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

const SETTINGS = ".claude/settings.json";
const EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "PreCompact", "SessionEnd", "Notification"];
const OWN =
  '{\r\n\t"model": "opus",\r\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}\r\n}';

function install(...more: string[]): ReturnType<TemporaryHome["run"]> {
  return home.run(["install", "--server", server.url, "--key", "wk_given", ...more]);
}

function hooksOf(text: string | undefined): Record<string, { hooks: { command: string }[] }[]> {
  return (JSON.parse(text ?? "{}") as { hooks: Record<string, { hooks: { command: string }[] }[]> }).hooks;
}

describe("install", () => {
  test("is for the assistants that have been used here, or for those that are named", async () => {
    const files = [SETTINGS, ".codex/hooks.json", ".gemini/settings.json"];
    const installed = (): string[] => files.filter((file) => home.read(file) !== undefined);
    mkdirSync(join(home.path, ".codex"));
    expect((await install("--for", "gemini-cli")).exitCode).toBe(0);
    expect(installed()).toEqual(files.slice(2));
    expect((await install()).stdout).toContain("Codex, user settings");
    expect(installed()).toEqual(files.slice(1));
  });

  test("says that a value is empty, as it is if a variable is not set", async () => {
    expect((await install("--key", "")).stderr).toContain("--key is empty");
  });

  test("makes Claude Code call every event, and shows what it changed in a file that was there", async () => {
    home.write(SETTINGS, "{}\n");
    const { exitCode, stdout } = await install();
    expect(exitCode).toBe(0);
    expect(stdout).toContain('+     "PreToolUse"');
    const hooks = hooksOf(home.read(SETTINGS));
    expect(Object.keys(hooks)).toEqual(EVENTS);
    expect(JSON.parse(home.read(".workspace-hooks/config.json") ?? "")).toMatchObject({
      server: server.url,
      key: "wk_given",
    });
    expect(statSync(join(home.root, "config.json")).mode & 0o777).toBe(0o600);
    expect(statSync(home.root).mode & 0o777).toBe(0o700);
  });

  test("changes nothing the second time, nor with --dry-run", async () => {
    expect((await install("--dry-run")).stdout).toContain('+     "PreToolUse"');
    expect(existsSync(join(home.path, SETTINGS))).toBe(false);
    expect(existsSync(home.root)).toBe(false);
    const { stdout } = await install();
    expect(stdout).toMatch(/a new file of \d+ lines\n/);
    expect(stdout).not.toContain("PreToolUse");
    const first = home.read(SETTINGS);
    const again = await home.run(["install"]);
    expect(again.stdout).toContain("already up to date");
    expect(home.read(SETTINGS)).toBe(first);
  });

  test("writes commands that work as written, even without any environment", async () => {
    await install();
    home.setPolicy({ version: 1, use: ["delete-outside-project"] });
    const command = hooksOf(home.read(SETTINGS))["PreToolUse"]?.[0]?.hooks[0]?.command ?? "";
    const stdin = JSON.stringify({
      session_id: "s",
      cwd: home.project,
      tool_name: "Bash",
      tool_input: { command: "rm -rf /" },
    });
    const { exitCode } = await runProcess("/bin/sh", ["-c", command], {
      stdin,
      env: { PATH: "/nowhere", NODE_OPTIONS: "--require /no/such/module" },
      cwd: "/",
    });
    expect(exitCode).toBe(2);
  });

  test("creates a key with the API token, or by signing in", async () => {
    await home.run(["install", "--server", server.url, "--api-token", "token-of-the-server"]);
    expect(server.requests.find(({ url }) => url === "/api/api-keys")).toMatchObject({
      headers: { "x-api-token": "token-of-the-server" },
      body: expect.stringContaining('"scopes":["hooks"]') as string,
    });
    expect(JSON.parse(home.read(".workspace-hooks/config.json") ?? "")).toMatchObject({ key: "wk_made" });
    server.requests.length = 0;
    await home.run(["install", "--server", server.url, "--email", "ada@example.com"], {
      env: { WORKSPACE_PASSWORD: "correct horse" },
    });
    expect(server.requests.find(({ url }) => url === "/api/api-keys")?.headers["cookie"]).toBe("session=abc");
  });

  test("rejects a key that the server does not accept, and a missing one, without writing anything", async () => {
    server.behaviour = "unauthorized";
    expect((await install()).exitCode).toBe(1);
    expect((await home.run(["install", "--server", server.url])).exitCode).toBe(1);
    expect(existsSync(join(home.path, SETTINGS))).toBe(false);
    expect(existsSync(home.root)).toBe(false);
  });

  test("continues while the server is unreachable, and says so", async () => {
    const { exitCode, stdout } = await home.run(["install", "--server", "http://localhost:9", "--key", "wk_x"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("cannot be reached now");
  });

  test.each([
    ['{\n  "a": 1,\n}', "line 3, column 1"],
    ["{ // comment\n}", "line 1, column 3"],
    ['{"hooks": []}', "line 1, column 11"],
    ["nonsense", "line 1, column 1"],
  ])("rejects %j with the position, and leaves it unchanged", async (text, place) => {
    home.write(SETTINGS, text);
    const { exitCode, stderr } = await install();
    expect(exitCode).toBe(1);
    expect(stderr).toContain(place);
    expect(home.read(SETTINGS)).toBe(text);
    expect(existsSync(home.root)).toBe(false);
  });

  test("rejects a file that is not UTF-8, and one with a hard link", async () => {
    mkdirSync(join(home.path, ".claude"));
    writeFileSync(join(home.path, SETTINGS), Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
    expect((await install()).stderr).toContain("not valid UTF-8");
    rmSync(join(home.path, SETTINGS));
    linkSync(home.write("dotfiles.json", "{}"), join(home.path, SETTINGS));
    expect((await install()).stderr).toContain("hard link");
  });

  test("keeps mode and links", async () => {
    const target = home.write("dotfiles/claude.json", OWN);
    chmodSync(target, 0o640);
    mkdirSync(join(home.path, ".claude"));
    symlinkSync("../dotfiles/claude.json", join(home.path, SETTINGS));
    await install();
    expect(lstatSync(join(home.path, SETTINGS)).isSymbolicLink()).toBe(true);
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(readFileSync(target, "utf8")).toContain("run PreToolUse");
    await home.run(["uninstall"]);
    expect(lstatSync(join(home.path, SETTINGS)).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toBe(OWN);
  });

  test("restores missing entries, which doctor has detected", async () => {
    home.write(SETTINGS, OWN);
    await install();
    const installed = home.read(SETTINGS);
    home.write(SETTINGS, OWN.replace("opus", "haiku"));
    const doctor = await home.run(["doctor"]);
    expect(doctor.exitCode).toBe(1);
    expect(doctor.stdout).toContain("missing; run install --repair");
    await home.run(["install", "--repair"]);
    expect(home.read(SETTINGS)).toBe(installed?.replace("opus", "haiku"));
    await home.run(["uninstall"]);
    expect(home.read(SETTINGS)).toBe(OWN.replace("opus", "haiku"));
  });

  test("respects CLAUDE_CONFIG_DIR, and supports project and local settings", async () => {
    await home.run(["install", "--server", server.url, "--key", "k"], {
      env: { CLAUDE_CONFIG_DIR: join(home.path, "moved") },
    });
    expect(Object.keys(hooksOf(home.read("moved/settings.json")))).toEqual(EVENTS);
    await install("--scope", "local");
    expect(Object.keys(hooksOf(home.read("work/project/.claude/settings.local.json")))).toEqual(EVENTS);
    await install("--scope", "project");
    const shared = home.read("work/project/.claude/settings.json") ?? "";
    expect(shared).not.toContain(home.path);
    expect(shared).toContain("command -v workspace-hooks");
    expect((await install("--scope", "global")).exitCode).toBe(1);
  });

  test.each([
    ["codex", ".codex/hooks.json", "UserPromptSubmit"],
    ["gemini-cli", ".gemini/settings.json", "BeforeTool"],
    ["cursor", ".cursor/hooks.json", "beforeSubmitPrompt"],
    ["opencode", ".config/opencode/plugins/workspace-hooks.js", "tool.execute.before"],
  ])("supports %s, and leaves nothing behind", async (assistant, file, mark) => {
    const own = '{\n  // mine\n  "theme": "dark",\n}\n';
    if (assistant === "gemini-cli") home.write(file, own);
    await install("--for", assistant);
    expect(home.read(file)).toContain(mark);
    expect((await home.run(["status"])).stdout).toMatch(/✓ .*, user: /);
    const { stdout } = await home.run(["status", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ folder: home.root, installations: [{ scope: "user", missing: [] }] });
    await home.run(["uninstall"]);
    expect(home.read(file)).toBe(assistant === "gemini-cli" ? own : undefined);
    expect(existsSync(join(home.path, file, "..")) && assistant !== "gemini-cli").toBe(false);
  });
});

describe("uninstall", () => {
  test("restores the exact bytes, and keeps what belongs to the user", async () => {
    home.write(SETTINGS, OWN);
    await install();
    home.setPolicy({ version: 1 });
    const { stdout } = await home.run(["uninstall"]);
    expect(home.read(SETTINGS)).toBe(OWN);
    expect(stdout).toContain("stay in");
    expect(home.read(".workspace-hooks/policy.json")).toBe('{"version":1}');
    expect(existsSync(join(home.root, "bin"))).toBe(false);
  });

  test("removes a file and a folder created for us, and with --purge all our files", async () => {
    await install();
    await home.run(["uninstall", "--purge"]);
    expect(existsSync(join(home.path, ".claude"))).toBe(false);
    expect(existsSync(home.root)).toBe(false);
  });

  test("revokes with --purge the key that install created, and none that was given to it", async () => {
    const revocations = () => server.requests.filter(({ url }) => url === "/api/hooks/key/revoke");
    await install();
    expect((await home.run(["uninstall", "--purge"])).stdout).toContain("it stays valid");
    expect(revocations()).toEqual([]);
    await home.run(["install", "--server", server.url, "--api-token", "token"]);
    await home.run(["install"]);
    expect((await home.run(["uninstall", "--purge"])).stdout).toContain("The key has been revoked.");
    expect(revocations().map(({ headers }) => headers["authorization"])).toEqual(["Bearer wk_made"]);
  });

  test("keeps later additions, even if ledger and backup are lost", async () => {
    home.write(SETTINGS, OWN);
    await install();
    rmSync(join(home.root, "ledger.json"));
    rmSync(join(home.root, "backups"), { recursive: true });
    home.write(SETTINGS, (home.read(SETTINGS) ?? "").replace('"opus"', '"haiku"'));
    await home.run(["uninstall"]);
    expect(home.read(SETTINGS)).toBe(OWN.replace("opus", "haiku"));
  });

  test("does not touch a plugin file that is not ours", async () => {
    home.write(".config/opencode/plugins/workspace-hooks.js", "export const Mine = 1;");
    const { exitCode, stderr } = await install("--for", "opencode");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("is not ours");
  });
});

describe("doctor", () => {
  test("finds no problems after install, and fires every rule through the installed command", async () => {
    await install();
    home.setPolicy({
      version: 1,
      use: ["force-push-main", "delete-outside-project", "write-outside-project"],
      rules: [
        {
          id: "no-cards",
          decision: "deny",
          when: { prompt: "[0-9]{4}-[0-9]{4}" },
          examples: { match: ["1234-5678"], pass: ["12-34"] },
        },
        {
          id: "as-root",
          decision: "warn",
          reason: "As root.",
          when: { command: { program: "sudo" } },
          examples: { match: ["sudo ls"] },
        },
      ],
    });
    const { exitCode, stdout } = await home.run(["doctor", "--self-test"]);
    expect(stdout.split("\n").filter((line) => line.startsWith("✗"))).toEqual([]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("rule delete-outside-project: the hooks reply deny");
    expect(server.events.size).toBe(0);
  });

  test("fails if a refusal would not be effective", async () => {
    await install();
    const program = join(home.root, "bin/workspace-hooks.cjs");
    writeFileSync(program, "process.exit(0)");
    const { exitCode, stdout } = await home.run(["doctor", "--self-test"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("✗ rule self-test: the hooks reply deny");
    expect(stdout).toContain("✗ the installed program has this version");
  });
});

describe("policy test", () => {
  test("lists all problems of a file at once", async () => {
    const file = home.write(
      "p.json",
      JSON.stringify({
        version: 2,
        use: ["nope"],
        rules: [{ id: "a b", decision: "block", when: { tol: "Bash", prompt: "(a" } }],
      }),
    );
    const { exitCode, stdout } = await home.run(["policy", "test", file]);
    expect(exitCode).toBe(1);
    for (const path of [
      "version",
      "use.0",
      "rules.0.id",
      "rules.0.decision",
      "rules.0.when.tol",
      "rules.0.when.prompt",
    ])
      expect(stdout).toContain(`✗ ${path}: `);
  });

  test("fires the rules of a file, and fails for one that does not fire or has no example", async () => {
    const rule = { id: "a", decision: "deny", when: { command: { program: "a" } } };
    const good = home.write(
      "good.json",
      JSON.stringify({ version: 1, rules: [{ ...rule, examples: { match: ["x; a"], pass: ["b"] } }] }),
    );
    expect((await home.run(["policy", "test", good])).exitCode).toBe(0);
    const bad = home.write(
      "bad.json",
      JSON.stringify({
        version: 1,
        rules: [
          { ...rule, examples: { match: ["b"] } },
          { ...rule, id: "b" },
        ],
      }),
    );
    const { exitCode, stdout } = await home.run(["policy", "test", bad]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("should match: b");
    expect(stdout).toContain("has no example");
  });

  test("fires every rule in force, those of packs as well, and none that is off", async () => {
    home.setPolicy({ version: 1, packs: ["safe"], decisions: { "git.force-push": "off", "git.push-main": "warn" } });
    const { exitCode, stdout } = await home.run(["policy", "test"]);
    expect(stdout).toContain("✓ delete-outside-project (ask)");
    expect(stdout).toContain("✓ git.delete-repository (undo)");
    expect(stdout).toContain("✓ git.push-main (warn)");
    expect(stdout).not.toContain("git.force-push ");
    expect(stdout).toMatch(/\n(?:4|5|6)\d rules, 0 failures\.\n$/);
    expect(exitCode).toBe(0);
    expect((await home.run(["doctor", "--self-test"])).stdout).toContain("✓ rule git.delete-repository fires on its");
  });

  test("says how it is used, and that a file is missing, in words", async () => {
    expect(await home.run(["policy", "test", "--help"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("policy test [file]") as string,
    });
    expect((await home.run(["doctor", "--help"])).stdout).toContain("--self-test");
    const missing = await home.run(["policy", "test", "none.json"]);
    expect(missing).toMatchObject({ exitCode: 1, stderr: "There is no file none.json.\n" });
    const folder = await home.run(["policy", "replay", "."]);
    expect(folder.stderr).toMatch(/^\. cannot be read: /);
  });

  test("judges one command here", async () => {
    home.setPolicy({ version: 1, use: ["force-push-main"] });
    home.write("work/project/.git/HEAD", "ref: refs/heads/main\n");
    expect((await home.run(["policy", "test", "--command", "git push -f"])).stdout).toContain("deny");
    home.write("work/project/.git/HEAD", "ref: refs/heads/topic\n");
    expect((await home.run(["policy", "test", "--command", "git push -f"])).stdout).toBe("allow\n");
  });
});
