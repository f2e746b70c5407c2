import * as fs from "node:fs";
import { join } from "node:path";
import { type Home, KEEP_COMPILED_CODE } from "../files/home.ts";
import { SHIPPED_RULES } from "../policy/shipped-rules.ts";
import { launchCommand } from "../settings/settings-target.ts";
import { rehearse, toolPayload } from "./rehearse.ts";

/** Words, options, quotes, a pipe and a redirection: what most commands are made of. */
const USUAL_COMMAND = `cd src && NODE_ENV=test npm test -- --run "a b.test.ts" 2>&1 | tail -n 20 > /tmp/out.txt`;

/**
 * Has V8 compile the installed program once and keeps the outcome, which every hook then starts from. One hook is run for
 * that, through all that a hook does: every shipped rule is asked, and a server of its own takes the event.
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
      payload: toolPayload("Bash", { command: USUAL_COMMAND, description: "Runs the tests" }, join(scratch, "project")),
      home: scratch,
      project: join(scratch, "project"),
      variables: { [KEEP_COMPILED_CODE]: "1", WORKSPACE_HOOKS: "on", WORKSPACE_HOOKS_EVENTS: "on" },
    });
  } finally {
    server.close();
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}
