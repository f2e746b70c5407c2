import * as fs from "node:fs";
import { join } from "node:path";
import { type Home, STORE_COMPILED_CODE_VARIABLE, homeAt } from "../files/home.ts";
import { type JsonRecord, stringAt } from "../json/json-value.ts";
import { storeIndex } from "../memory/index-file.ts";
import { PACKS } from "../effects/effect-rules.ts";
import { SHIPPED_RULES } from "../policy/shipped-rules.ts";
import { launchCommand } from "../settings/hook-command.ts";
import { promptPayload, rehearse, toolPayload } from "./rehearse.ts";

/** Words, options, quotes, a pipe and a redirection: what most commands consist of. */
const TYPICAL_COMMAND = `cd src && NODE_ENV=test npm test -- --run "a b.test.ts" 2>&1 | tail -n 20 > /tmp/out.txt`;

/** Code in an argument: what judges it is in a file that few calls need. */
const TYPICAL_CODE = `python3 -c 'import json, os; print(json.load(open("package.json"))["name"], os.getcwd())'`;

const TYPICAL_PROMPT = "How do the tests in src/a.test.ts run?";
const RELEVANT = {
  memories: [
    {
      id: "rehearsal",
      chunkType: "fact",
      content: "The tests in src/a.test.ts run one by one. ".repeat(50),
      createdAt: "2026-01-01T00:00:00.000Z",
    },
  ],
};

/**
 * Has V8 compile the installed program and the files that hooks load with it, and stores the results, from which every hook then
 * starts. Four hooks are run for this, which do everything that a hook does: every shipped rule and pack is evaluated, a temporary
 * server accepts the events, and a prompt is given a memory by the server and one by the local index. Each starts with what was
 * compiled for those before.
 */
export async function compileAhead(home: Home): Promise<void> {
  const scratch = fs.mkdtempSync(join(process.getBuiltinModule("node:os").tmpdir(), "workspace-hooks-"));
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer((_request, response) => response.end(JSON.stringify({ data: RELEVANT })));
  try {
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
    const write = (name: string, value: unknown): void =>
      fs.writeFileSync(join(scratch, name), JSON.stringify(value), { mode: 0o600 });
    write("config.json", { version: 1, server: `http://127.0.0.1:${port}`, key: "rehearsal" });
    write("policy.json", {
      version: 1,
      use: SHIPPED_RULES.map(({ id }) => id),
      packs: PACKS.map(({ id }) => id),
    });
    const project = join(scratch, "project");
    const variables = {
      [STORE_COMPILED_CODE_VARIABLE]: "1",
      WORKSPACE_HOOKS: "on",
      WORKSPACE_HOOKS_EVENTS: "on",
      WORKSPACE_HOOKS_MEMORY: "on",
      CLAUDE_CODE_SESSION_ID: "",
    };
    const shell = (command: string): JsonRecord => toolPayload("Bash", { command, description: "Runs" }, project);
    const run = async (payload: JsonRecord): Promise<unknown> => {
      // After a prompt, a helper would record the project, which is deleted here.
      const undo = stringAt(payload, "tool_name") === undefined ? "off" : "on";
      const command = launchCommand(process.execPath, home.launcher, `run ${stringAt(payload, "hook_event_name")}`);
      return rehearse({
        command,
        payload,
        home: scratch,
        project,
        variables: { ...variables, WORKSPACE_HOOKS_UNDO: undo },
      });
    };
    await run(shell(TYPICAL_COMMAND));
    await run(shell(TYPICAL_CODE));
    await run(promptPayload(TYPICAL_PROMPT, project));
    write("config.json", { version: 1, server: "http://127.0.0.1:9", key: "rehearsal" });
    fs.rmSync(homeAt(scratch).given, { recursive: true, force: true });
    storeIndex(homeAt(scratch), fs.realpathSync(project), RELEVANT.memories);
    await run(promptPayload(TYPICAL_PROMPT, project));
  } finally {
    server.close();
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}
