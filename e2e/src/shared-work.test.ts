import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { setUpDashboard } from "./dashboard.ts";

/** A person in the page and an assistant that uses the official MCP client, on the same things at the same time. */

const dashboard = setUpDashboard();

/** Connects an assistant with a key of its own, and returns a function that calls a tool. */
async function connectAssistant(page: Page): Promise<(tool: string, input: object) => Promise<any>> {
  const scopes = ["tasks:read", "tasks:write", "knowledge:read", "knowledge:write"];
  const created = await page.request.post("/api/api-keys", { data: { name: "Laptop", scopes } });
  const { key } = (await created.json()).data;
  const client = new Client({ name: "assistant", version: "1" });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", dashboard.server.url), { requestInit }));
  onTestFinished(() => client.close());
  return async (name, input) => {
    const { content, isError }: any = await client.callTool({ name, arguments: { ...input } });
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
