import { expect, it } from "vitest";
import type { Input } from "./api-client.ts";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { SIZES, type Size } from "./window.ts";

const dashboard = setUpDashboard();

async function make<Output>(procedure: string, input: Input): Promise<Output> {
  const [made] = await dashboard.api.mutateAll<Output>(procedure, [input]);
  if (made === undefined) throw new Error(`${procedure} returned nothing.`);
  return made;
}

/** Calls `/api/v1` as an assistant with a key of its own. */
async function startAssistant(name: string) {
  const { key } = await make<{ key: string }>("apiKeys.create", { name, scopes: ["tasks:read", "tasks:write"] });
  return async (path: string, body: object) => {
    const response = await fetch(`${dashboard.server.url}/api/v1${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { data: { claimId: string } | null; message?: string };
  };
}

const create = (title: string) => make<{ id: string }>("tasks.create", { title });

it("a task that an assistant claims is marked at once, and a person takes it back", async () => {
  const assistant = await startAssistant("Laptop");
  const { id } = await create("Repair the pump");
  const { page } = await dashboard.visit();
  await page.goto("/tasks?view=list");
  const row = page.getByRole("row", { name: /Repair the pump/ });
  await row.waitFor();
  const { data } = await assistant("/tasks/claim", { id, sessionId: "session-1" });
  await row.getByText("Laptop").waitFor();

  await row.getByText("Repair the pump").click();
  const panel = page.getByRole("complementary", { name: "Task" });
  const work = panel.getByRole("region", { name: "Work on it" });
  await work.getByText(/works on it until/).waitFor();
  expect(await work.getByRole("link", { name: "its session" }).getAttribute("href")).toBe("/hooks/sessions/session-1");
  expect(await checkThemes(page, "task-claimed")).toEqual([]);
  await work.getByRole("button", { name: "Take it back" }).click();
  await work.waitFor({ state: "detached" });
  await row.getByText("Laptop").waitFor({ state: "detached" });

  const after = await assistant(`/tasks/${id}/release`, { claimId: data?.claimId });
  expect(after.message).toContain("The claim has ended");
  const again = await assistant("/tasks/claim", { id });
  await assistant(`/tasks/${id}/release`, { claimId: again.data?.claimId, note: "The seal is missing." });
  await work.getByText("The seal is missing.").waitFor();
});

it("the list says of a task that its claim has ended, and no longer who had it", async () => {
  const assistant = await startAssistant("Laptop");
  const { id } = await create("Clean the filter");
  const { page } = await dashboard.visit();
  await page.clock.install({ time: Date.now() + 2 * 60_000 });
  await assistant("/tasks/claim", { id, leaseMinutes: 1 });
  await page.goto("/tasks?view=list");
  const row = page.getByRole("row", { name: /Clean the filter/ });
  await row.getByText("Claim ended").waitFor();
  expect(await row.getByText("Laptop").count()).toBe(0);
});

it.each(Object.keys(SIZES) as Size[])("what a task waits for is chosen and removed on a %s", async (size) => {
  const assistant = await startAssistant(`Assistant ${size}`);
  const { id } = await create(`Fill the pond (${size})`);
  await create(`Dig the hole (${size})`);
  const { page } = await dashboard.visit({ size });
  await page.goto(`/tasks?task=${id}`);
  const waits = page.getByRole("region", { name: "What it waits for" });
  await waits.getByRole("button", { name: "Wait for another task" }).click();
  await page.getByPlaceholder("Wait for another task").fill("dig");
  await page.getByRole("option", { name: `Dig the hole (${size})` }).click();
  await waits.getByRole("button", { name: `Dig the hole (${size})`, exact: true }).waitFor();
  expect((await assistant("/tasks/claim", { id })).message).toContain(`waits for “Dig the hole (${size})”`);
  expect(await checkThemes(page, `task-waits-${size}`)).toEqual([]);

  await waits.getByRole("button", { name: `Dig the hole (${size})`, exact: true }).click();
  await waits.getByText("Others wait for it").waitFor();
  await waits.getByRole("button", { name: `Fill the pond (${size})`, exact: true }).click();
  await waits.getByRole("button", { name: /^Do not wait for/ }).click();
  await waits.getByText("Waits for", { exact: true }).waitFor({ state: "detached" });
  expect((await assistant("/tasks/claim", { id })).data).not.toBeNull();
});

it("a task shows the sessions that worked on it, and what came of them", async () => {
  const { id } = await create("Widen the outlet");
  const record = (minutesAgo: number, event: object) =>
    make("hooks.recordEvent", {
      sessionId: "outlet",
      projectDir: "/home/ada/pond",
      occurredAt: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
      ...event,
    });
  const toolCall = (toolName: string, toolInput: object) => ({
    eventType: "PostToolUse",
    toolName,
    eventData: { toolInput },
  });
  await record(3, { eventType: "UserPromptSubmit", eventData: { prompt: `Widen the outlet, task ${id}` } });
  await record(2, toolCall("Write", { file_path: "/home/ada/pond/outlet.scad", content: "width = 40; // mm" }));
  await record(1, toolCall("Bash", { command: 'git commit -am "Widen the outlet to 40 mm"' }));
  const { page } = await dashboard.visit();
  await page.goto(`/tasks?task=${id}`);
  const sessions = page.getByRole("region", { name: "Assistants’ sessions" });
  await sessions.getByText("1 file changed").waitFor();
  await sessions.getByText("Widen the outlet to 40 mm").waitFor();
  expect(await checkThemes(page, "task-sessions")).toEqual([]);
  await sessions.getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: /Widen the outlet, task/ }).waitFor();
});

it("a task is handed over with a note, and only the one it is meant for can claim it", async () => {
  const [laptop, desktop] = [await startAssistant("Handed laptop"), await startAssistant("Handed desktop")];
  const { id } = await create("Paint the fence");
  const { page } = await dashboard.visit();
  await page.goto(`/tasks?task=${id}`);
  const panel = page.getByRole("complementary", { name: "Task" });
  await panel.getByRole("button", { name: "Hand over…" }).click();
  const form = panel.getByRole("form", { name: "Hand over" });
  await form.getByLabel("To").selectOption("Handed laptop");
  await form.getByLabel("Note").fill("Two coats.");
  expect(await checkThemes(page, "task-hand-over")).toEqual([]);
  await form.getByRole("button", { name: "Hand over" }).click();
  await form.waitFor({ state: "detached" });
  await panel.getByText("For Handed laptop").waitFor();
  await panel.getByText("Two coats.").waitFor();
  expect((await desktop("/tasks/claim", { id })).data).toBeUndefined();
  expect((await laptop("/tasks/claim", { id })).data).toMatchObject({ claimId: expect.any(String) });
});
