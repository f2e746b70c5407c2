import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { ADMIN, type TestServer, startTestServer } from "../../api-rest/tests/test-server.ts";
import { createHooksKey } from "./support/hooks-key.ts";
import { TemporaryHome } from "./support/temporary-home.ts";

const LONG = Array.from({ length: 200 }, (_, index) => `export const limit${index} = readLimit("limit-${index}");`);

let server: TestServer;
let home: TemporaryHome;
let key: string;

beforeAll(async () => {
  // Below a path of its host.
  server = await startTestServer({}, "/workspace");
  key = await createHooksKey(server);
});
afterAll(() => server.close());
beforeEach(async () => {
  home = new TemporaryHome();
  home.configure(server.url, { key });
});
afterEach(() => home.close());

/** Has a session write a file as Claude Code does, after a prompt. */
async function edit(session_id: string, prompt: string, before: string, after: string): Promise<void> {
  const file_path = join(home.project, "src/limits.ts");
  const text = before === "" ? "" : readFileSync(file_path, "utf8");
  home.write("work/project/src/limits.ts", before === "" ? after : text.replace(before, after));
  await home.hook("UserPromptSubmit", { session_id, prompt });
  const tool =
    before === ""
      ? { tool_name: "Write", tool_input: { file_path, content: after }, tool_response: { type: "create" } }
      : { tool_name: "Edit", tool_input: { file_path, old_string: before, new_string: after } };
  await home.hook("PostToolUse", { session_id, ...tool });
}

test("tells which session wrote lines, even far into a long file, and what it had been asked", async () => {
  await edit("first", "Read the limits from the environment", "", `${LONG.join("\n")}\n`);
  await edit("second", "Make the last limit optional", LONG[199] ?? "", `${LONG[198]}\nexport const optional = true;`);
  await home.run(["flush"]);
  const ask = async (...args: string[]) => (await home.run(["why", ...args])).stdout;
  expect(await ask("src/limits.ts:150-152")).toMatch(
    /^first wrote 3 of 3 lines \(.+\)\n {2}asked: Read the limits from the environment\n {2}http.+\/workspace\/hooks\/sessions\/first\n/,
  );
  expect(await ask("src/limits.ts:201", "--limit", "1")).toMatch(/^second wrote 1 of 1 lines/);
  const { sessions } = JSON.parse(await ask(join(home.project, "src/limits.ts"), "--json"));
  expect(sessions.map(({ sessionId }: { sessionId: string }) => sessionId)).toEqual(["first", "second"]);
});

test("the server may be below a path, for the installation, too", async () => {
  const { email, password } = ADMIN;
  await home.run(["install", "--server", `${server.url}/`, "--email", email, "--for", "claude-code"], {
    env: { WORKSPACE_PASSWORD: password },
  });
  expect(JSON.parse(home.read(".workspace-hooks/config.json") ?? "")).toMatchObject({ server: server.url });
});

test("says so if no session is known, the file is not there, or the question is none", async () => {
  home.write("work/project/notes.md", "Some words of mine\n");
  expect(await home.run(["why", "notes.md"])).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining("No session"),
  });
  expect((await home.run(["why", "none.md"])).stderr).toContain("none.md does not exist");
  home.write("work/project/more.md", "One\nTwo\nThree\n");
  expect((await home.run(["why", "more.md:3"])).stdout).toContain("No session");
  expect((await home.run(["why", "more.md:3-1"])).stderr).toContain("Lines 3-1 are in the wrong order");
  for (const range of ["4", "2-9", "0"])
    expect((await home.run(["why", `more.md:${range}`])).stderr).toContain("has lines 1 to 3, not ");
  expect((await home.run(["why", "."])).stderr).toContain(". is not a file");
  expect((await home.run(["why"])).stderr).toContain("why <path>");
  expect((await home.run(["why", "notes.md", "--limit", "99"])).stderr).toContain("limit: expected at most 20");
});
