import { afterEach, beforeEach, expect, test } from "vitest";
import { TemporaryHome } from "./support/temporary-home.ts";

let home: TemporaryHome;

beforeEach(async () => {
  home = await new TemporaryHome().addProgram();
});

afterEach(() => home.close());

function install(...more: string[]): ReturnType<TemporaryHome["run"]> {
  return home.run(["install", "--server", "http://localhost:9", "--key", "wk_given", ...more]);
}

/** A past session of Claude Code with these shell commands, so many days ago. */
function writeSession(name: string, commands: readonly string[], daysAgo: number): void {
  const timestamp = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  const lines = commands.map((command, index) => ({
    type: "assistant",
    timestamp,
    cwd: home.project,
    message: { content: [{ type: "tool_use", id: `${name}-${index}`, name: "Bash", input: { command } }] },
  }));
  // A message is repeated while it arrives, and the file ends with a line that is not complete.
  const text = [...lines, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
  home.write(`.claude/projects/p/${name}.jsonl`, `${text}{"type":`);
}

test("offers the safe pack, with what it would have done in the last 30 days, and does not switch it on by itself", async () => {
  writeSession("a", ["npm test", "git reset --hard", "terraform destroy", "rm -rf /"], 1);
  writeSession("b", ["ls", "terraform destroy -target=x"], 29);
  writeSession("c", ["terraform destroy"], 31);
  const { exitCode, stdout } = await install();
  expect(exitCode).toBe(0);
  expect(stdout).toContain("No rule applies yet. The safe pack: Protects from losing work");
  expect(stdout).toContain(
    "Of 6 tool calls in 3 sessions it would have refused 0, asked about 3, and made sure that 1 can be",
  );
  expect(stdout).toContain("2 × infrastructure.destroy: terraform destroy");
  expect(stdout).toContain("install --packs safe");
  expect(home.read(".workspace-hooks/policy.json")).toBeUndefined();
});

test("switches packs on if told to, and leaves the rest of the policy as it is", async () => {
  home.setPolicy({ version: 1, use: ["pipe-to-shell"], packs: ["git"] });
  expect((await install("--packs", "safe,databases")).exitCode).toBe(0);
  expect(JSON.parse(home.read(".workspace-hooks/policy.json") ?? "")).toEqual({
    version: 1,
    use: ["pipe-to-shell"],
    packs: ["git", "safe", "databases"],
  });
  const asked = await home.bash("dropdb app");
  expect(JSON.parse(asked.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "ask" } });
});

test("neither offers nor changes anything if told not to, or if there are rules", async () => {
  expect((await install("--packs", "none")).stdout).not.toContain("safe pack");
  home.setPolicy({ version: 1, use: ["pipe-to-shell"] });
  expect((await install()).stdout).not.toContain("safe pack");
});

test("an unknown pack is an error, and nothing is written", async () => {
  const { exitCode, stderr } = await install("--packs", "save");
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining("There is no pack save.") as string,
  });
  // The program was there before.
  expect(home.list(".workspace-hooks")).toEqual(["bin"]);
});

test("the sessions of Codex and Gemini CLI count as well", async () => {
  const timestamp = new Date().toISOString();
  const codexCall = { type: "function_call", name: "exec_command", arguments: '{"cmd":"dropdb app"}', call_id: "c1" };
  const codex = [
    { timestamp, type: "session_meta", payload: { id: "x", cwd: home.project } },
    { timestamp, type: "response_item", payload: codexCall },
  ];
  const call = { id: "g1", name: "run_shell_command", args: { command: "terraform destroy" } };
  const gemini = { timestamp, type: "gemini", content: "", toolCalls: [call] };
  home.write(".codex/sessions/2026/x.jsonl", codex.map((line) => `${JSON.stringify(line)}\n`).join(""));
  home.write(".gemini/tmp/p/chats/y.jsonl", `${JSON.stringify(gemini)}\n`.repeat(2));
  expect((await install()).stdout).toContain("Of 2 tool calls in 2 sessions it would have refused 0, asked about 2,");
});

test("past sessions can be replayed with any policy", async () => {
  writeSession("a", ["npm publish", "npm test"], 3);
  home.write(
    "draft.json",
    JSON.stringify({ version: 1, packs: ["packages"], decisions: { "packages.publish": "deny" } }),
  );
  const replayed = await home.run(["policy", "replay", "../../draft.json", "--days", "7"]);
  expect(replayed.stdout).toMatch(
    /^Of 2 tool calls in 1 session it would have refused 1.*\n {2}1 × packages.publish: npm publish\n$/,
  );
  expect((await home.run(["policy", "replay", "../../draft.json", "--days", "2"])).stdout).toContain("Of 0 tool calls");
});
