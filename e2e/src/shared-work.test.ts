import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { saveText } from "./screenshot.ts";
import type { Visitor } from "./visitor.ts";

/** People in their pages and an assistant that uses the official MCP client, on the same things at the same time. */

const dashboard = setUpDashboard();

/** Connects an assistant with a key of its own, and returns a function that calls a tool. `transcript` gets what was said. */
async function connectAssistant(
  page: Page,
  transcript: string[] = [],
): Promise<(tool: string, input: object) => Promise<any>> {
  const scopes = ["tasks:read", "tasks:write", "knowledge:read", "knowledge:write"];
  const created = await page.request.post("/api/api-keys", { data: { name: "Laptop", scopes } });
  const { key } = (await created.json()).data;
  const client = new Client({ name: "assistant", version: "1" });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", dashboard.server.url), { requestInit }));
  onTestFinished(() => client.close());
  return async (name, input) => {
    const { content, isError }: any = await client.callTool({ name, arguments: { ...input } });
    transcript.push(`> ${name} ${JSON.stringify(input)}`, `< ${content[0].text}`);
    expect([name, isError === true ? content[0].text : null]).toEqual([name, null]);
    return JSON.parse(content[0].text).data;
  };
}

it("both write in one note, and what both have written is in the file", async () => {
  const { page, vault, watch } = await dashboard.visit();
  // What the page learns from such a response is what it has to merge.
  watch.expect(/412/);
  const assistant = await connectAssistant(page);
  const id = await vault.write("Pond.md", "# Pond\n\nBirds:\n\nFish:\n");
  await page.goto(`/documents?doc=${id}`);
  const editor = page.getByRole("textbox", { name: /^Text of/ });
  await editor.getByText("Birds:").click();
  await page.keyboard.press("End");
  for (const [bird, fish] of [
    ["heron", "carp"],
    ["coot", "perch"],
    ["grebe", "pike"],
  ] as const) {
    await page.keyboard.type(` ${bird}`);
    await assistant("notes_append", { path: "Pond.md", text: `- ${fish}` });
    await editor.getByText(fish).waitFor();
  }
  await expect
    .poll(async () => (await vault.read("Pond.md")).content.trimEnd())
    .toBe("# Pond\n\nBirds: heron coot grebe\n\nFish:\n- carp\n- perch\n- pike");
  // Nobody was asked to merge anything.
  expect(await page.getByText(/conflict/i).count()).toBe(0);
});

it("both work on one list of tasks, and each sees what the other does", async () => {
  const { page } = await dashboard.visit();
  const assistant = await connectAssistant(page);
  await page.goto("/tasks?view=list");
  const { id } = await assistant("tasks_create", { title: "Dig the pond" });
  const row = (title: string) => page.getByRole("row", { name: new RegExp(title) });
  await row("Dig the pond").waitFor();
  await page.keyboard.press("c");
  await page.keyboard.type("Buy reeds tomorrow #garden");
  await page.keyboard.press("Enter");
  await row("Buy reeds").waitFor();
  // The page shows a task before the server has stored it.
  await expect
    .poll(async () => (await assistant("tasks_ready", {})).map((task: { title: string }) => task.title).toSorted())
    .toEqual(["Buy reeds", "Dig the pond"]);
  await assistant("tasks_claim", { id });
  await row("Dig the pond").getByText("Laptop").waitFor();
  await row("Buy reeds")
    .getByRole("button", { name: /^Status: / })
    .click();
  await page.getByRole("option", { name: "Done" }).click();
  await expect
    .poll(async () =>
      (await assistant("tasks_list", { status: ["done"] })).map((task: { title: string }) => task.title),
    )
    .toEqual(["Buy reeds"]);
  await assistant("tasks_update", { id, status: "done" });
  await page.getByRole("button", { name: /^Done 2/ }).waitFor();
});

/** Somebody else, with an account and a browser of their own. */
async function visitAsGrace(): Promise<Visitor> {
  const visitor = await dashboard.visit({ isSignedIn: false });
  const account = { name: "Grace Kim", email: "grace@example.com", password: "correct-horse-battery" };
  const headers = { origin: dashboard.server.url };
  const signedUp = await visitor.context.request.post("/api/auth/sign-up/email", { data: account, headers });
  if (!signedUp.ok()) await visitor.context.request.post("/api/auth/sign-in/email", { data: account, headers });
  return visitor;
}

it("two people and an assistant write in one note at once, and no word of anybody is lost", async () => {
  const [ada, grace] = [await dashboard.visit(), await visitAsGrace()];
  const transcript: string[] = [];
  const assistant = await connectAssistant(ada.page, transcript);
  const id = await ada.vault.write("Marsh.md", "# Marsh\n\nBirds:\n\nPlants:\n\nFish:\n");
  const words = {
    birds: ["heron", "coot", "grebe", "teal", "snipe"],
    plants: ["sedge", "reed", "iris", "mint", "fern"],
    fish: ["carp", "perch", "pike", "roach", "tench"],
  };
  const open = async ({ page, watch }: Visitor, heading: string) => {
    // What a page learns from such a response is what it has to merge.
    watch.expect(/412/);
    await page.goto(`/documents?doc=${id}`);
    const editor = page.getByRole("textbox", { name: /^Text of/ });
    await editor.getByText(heading).click();
    await page.keyboard.press("End");
    return editor;
  };
  const [adasEditor, gracesEditor] = [await open(ada, "Birds:"), await open(grace, "Plants:")];
  const typeAll = async ({ page }: Visitor, list: readonly string[]) => {
    for (const word of list) await page.keyboard.type(` ${word}`, { delay: 20 });
  };
  const appendAll = async (list: readonly string[]) => {
    for (const fish of list) await assistant("notes_append", { path: "Marsh.md", text: `- ${fish}` });
  };
  await Promise.all([typeAll(ada, words.birds), typeAll(grace, words.plants), appendAll(words.fish)]);
  const expected = [
    "# Marsh",
    `Birds: ${words.birds.join(" ")}`,
    `Plants: ${words.plants.join(" ")}`,
    `Fish:\n${words.fish.map((fish) => `- ${fish}`).join("\n")}`,
  ].join("\n\n");
  await expect
    .poll(async () => (await ada.vault.read("Marsh.md")).content.trimEnd(), { timeout: 40_000 })
    .toBe(expected);
  for (const editor of [adasEditor, gracesEditor]) {
    await editor.getByText(words.birds.join(" ")).waitFor();
    await editor.getByText(words.plants.join(" ")).waitFor();
    await editor.getByText("tench").waitFor();
  }
  for (const { page } of [ada, grace]) expect(await page.getByText(/conflict/i).count()).toBe(0);
  const { content } = await assistant("notes_read", { path: "Marsh.md" });
  expect(content.trimEnd()).toBe(expected);
  await saveText("shared-note-transcript.txt", transcript.join("\n"));
});

it("two people and an assistant work on one list at once, and everything done is there for all", async () => {
  const [ada, grace] = [await dashboard.visit(), await visitAsGrace()];
  const transcript: string[] = [];
  const assistant = await connectAssistant(ada.page, transcript);
  const numbers = [1, 2, 3, 4];
  const titles = (who: string) => numbers.map((number) => `${who} plants tree ${number}`);
  for (const { page } of [ada, grace]) {
    await page.goto("/tasks?view=list");
    await page.getByRole("textbox", { name: "New task" }).waitFor();
  }
  const add = async ({ page }: Visitor, who: string) => {
    await page.keyboard.press("c");
    for (const title of titles(who)) {
      await page.keyboard.type(title);
      await page.keyboard.press("Enter");
      await page.getByRole("row", { name: new RegExp(title) }).waitFor();
    }
  };
  const addByAssistant = async () => {
    for (const title of titles("Assistant")) await assistant("tasks_create", { title });
  };
  await Promise.all([add(ada, "Ada"), add(grace, "Grace"), addByAssistant()]);
  const all = ["Ada", "Grace", "Assistant"].flatMap(titles).toSorted();
  const listed = async (status: string) => {
    const tasks: { title: string }[] = await assistant("tasks_list", { status: [status], limit: 50 });
    return tasks
      .map(({ title }) => title)
      .filter((title) => all.includes(title))
      .toSorted();
  };
  await expect.poll(() => listed("todo"), { timeout: 40_000 }).toEqual(all);
  for (const { page } of [ada, grace])
    for (const title of all) await page.getByRole("row", { name: new RegExp(title) }).waitFor();

  // Each finishes what somebody else has added.
  const finish = async ({ page }: Visitor, list: readonly string[]) => {
    for (const title of list) {
      await page
        .getByRole("row", { name: new RegExp(title) })
        .getByRole("button", { name: /^Status: / })
        .click();
      await page.getByRole("option", { name: "Done" }).click();
    }
  };
  const ids = new Map<string, string>();
  for (const { id, title } of await assistant("tasks_list", { status: ["todo"], limit: 50 })) ids.set(title, id);
  const finishByAssistant = async () => {
    for (const title of titles("Ada")) await assistant("tasks_update", { id: ids.get(title), status: "done" });
  };
  await Promise.all([finish(ada, titles("Grace")), finish(grace, titles("Assistant")), finishByAssistant()]);
  await expect.poll(() => listed("done"), { timeout: 40_000 }).toEqual(all);
  expect(await listed("todo")).toEqual([]);
  await saveText("shared-list-transcript.txt", transcript.join("\n"));
});
