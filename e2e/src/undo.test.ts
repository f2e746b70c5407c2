import { afterAll, expect, it } from "vitest";
import { TemporaryHome } from "../../packages/hooks-cli/tests/support/temporary-home.ts";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

/** The assistant works on the machine of the server: its turns are undone by a click. */

const home = new TemporaryHome();
const dashboard = setUpDashboard(() => ({ WORKSPACE_HOOKS_HOME: home.root }));
afterAll(() => home.close());

/** Has a session write a file as Claude Code does. */
async function write(session_id: string, name: string, content: string): Promise<void> {
  const file_path = `${home.project}/${name}`;
  const call = { session_id, tool_name: "Write", tool_input: { file_path, content } };
  await home.hook("PreToolUse", call);
  home.write(`work/project/${name}`, content);
  await home.hook("PostToolUse", { ...call, tool_response: { type: "create" } });
}

const read = (name: string) => home.read(`work/project/${name}`);

it("a turn is undone by a click and brought back by another, and what others changed only if a person insists", async () => {
  const { page } = await dashboard.visit();
  const created = await page.request.post("/api/api-keys", { data: { name: "Hooks", scopes: ["hooks"] } });
  const { key } = (await created.json()).data;
  await home.run(["install", "--server", dashboard.server.url, "--key", key]);
  home.write("work/project/a.txt", "one\n");
  await home.hook("UserPromptSubmit", { session_id: "pond", prompt: "Rewrite it" });
  await write("pond", "a.txt", "two\n");
  await home.hook("Stop", { session_id: "pond" });
  await home.run(["flush"]);

  await page.goto("/hooks/sessions/pond");
  const turns = page.getByRole("region", { name: "Turns that changed files" });
  await turns.getByRole("button", { name: "Undo turn 1" }).click();
  await page.getByText("Undid turn 1: 1 file").waitFor();
  expect(read("a.txt")).toBe("one\n");
  // Wherever the turn and its files are shown.
  await expect.poll(() => page.getByRole("button", { name: /^Undo / }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Undone a.txt" }).count()).toBe(2);
  expect(await checkThemes(page, "session-undone")).toEqual([]);
  await page.getByRole("button", { name: "Redo" }).click();
  await page.getByText("Brought back 1 file").waitFor();
  expect(read("a.txt")).toBe("two\n");

  home.write("work/project/a.txt", "by hand\n");
  await turns.getByRole("button", { name: "Undo a.txt" }).click();
  const dialog = page.getByRole("dialog", { name: "Undo what was changed again?" });
  await dialog.getByText(/changed again after the turn or is not recorded: a\.txt/).waitFor();
  expect(read("a.txt")).toBe("by hand\n");
  expect(await checkThemes(page, "session-undo-changed-again")).toEqual([]);
  await dialog.getByRole("button", { name: "Undo it all the same" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(read("a.txt")).toBe("one\n");
  // It is known wherever it was undone, and whoever looks.
  await page.reload();
  await expect.poll(() => page.getByRole("button", { name: "Undone a.txt" }).count()).toBe(2);
  await home.run(["undo", "--redo"]);
  await page.reload();
  await expect
    .poll(() => page.getByRole("button", { name: "Undo a.txt" }).and(page.locator(":enabled")).count())
    .toBe(2);
});
