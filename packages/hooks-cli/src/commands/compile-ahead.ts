import * as fs from "node:fs";
import { join } from "node:path";
import { type Home, STORE_COMPILED_CODE_VARIABLE } from "../files/home.ts";
import { SHIPPED_RULES } from "../policy/shipped-rules.ts";
import { launchCommand } from "../settings/settings-target.ts";
import { rehearse, toolPayload } from "./rehearse.ts";

/** Words, options, quotes, a pipe and a redirection: what most commands consist of. */
const TYPICAL_COMMAND = `cd src && NODE_ENV=test npm test -- --run "a b.test.ts" 2>&1 | tail -n 20 > /tmp/out.txt`;

/**
 * Has V8 compile the installed program once and stores the result, from which every hook then starts. One hook is run for
 * this, which does everything that a hook does: every shipped rule is evaluated, and a temporary server accepts the event.
 */
export async function compileAhead(home: Home): Promise<void> {
  const scratch = fs.mkdtempSync(join(process.getBuiltinModule("node:os").tmpdir(), "workspace-hooks-"));
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer((_request, response) => response.end("{}"));
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
    await rehearse({
      command: launchCommand(process.execPath, home.launcher, "run PreToolUse"),
      payload: toolPayload(
        "Bash",
        { command: TYPICAL_COMMAND, description: "Runs the tests" },
        join(scratch, "project"),
      ),
      home: scratch,
      project: join(scratch, "project"),
      variables: { [STORE_COMPILED_CODE_VARIABLE]: "1", WORKSPACE_HOOKS: "on", WORKSPACE_HOOKS_EVENTS: "on" },
    });
  } finally {
    server.close();
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}
