import * as fs from "node:fs";
import { join } from "node:path";
import { type Home, STORE_COMPILED_CODE_VARIABLE } from "../files/home.ts";
import { stringAt } from "../json/json-value.ts";
import { SHIPPED_RULES } from "../policy/shipped-rules.ts";
import { launchCommand } from "../settings/settings-target.ts";
import { promptPayload, rehearse, toolPayload } from "./rehearse.ts";

/** Words, options, quotes, a pipe and a redirection: what most commands consist of. */
const TYPICAL_COMMAND = `cd src && NODE_ENV=test npm test -- --run "a b.test.ts" 2>&1 | tail -n 20 > /tmp/out.txt`;

const RELEVANT = {
  memories: [{ id: "rehearsal", chunkType: "fact", content: "x".repeat(2_000), createdAt: "2026-01-01T00:00:00.000Z" }],
};

/**
 * Has V8 compile the installed program and stores the result, from which every hook then starts. Two hooks are run for this,
 * which do everything that a hook does: every shipped rule is evaluated, a temporary server accepts the events, and a prompt
 * is given a memory. The second one starts with what was compiled for the first.
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
    write("policy.json", { version: 1, use: SHIPPED_RULES.map(({ id }) => id) });
    const project = join(scratch, "project");
    const variables = {
      [STORE_COMPILED_CODE_VARIABLE]: "1",
      WORKSPACE_HOOKS: "on",
      WORKSPACE_HOOKS_EVENTS: "on",
      WORKSPACE_HOOKS_MEMORY: "on",
      CLAUDE_CODE_SESSION_ID: "",
    };
    const tool = toolPayload("Bash", { command: TYPICAL_COMMAND, description: "Runs the tests" }, project);
    for (const payload of [tool, promptPayload("How do the tests in src/a.test.ts run?", project)]) {
      const command = launchCommand(process.execPath, home.launcher, `run ${stringAt(payload, "hook_event_name")}`);
      await rehearse({ command, payload, home: scratch, project, variables });
    }
  } finally {
    server.close();
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}
