import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { setUpModelDouble } from "./model-double.ts";
import { SIZES, type Size } from "./window.ts";

/** The page that one opens in the morning: what happened since, answered where it is shown. */

const model = setUpModelDouble("gpt-4.1");
const dashboard = setUpDashboard(model.settings);

/** Calls the server as a program with a key of its own, whose work is news. */
async function connectProgram(name: string) {
  const scopes = ["tasks:read", "tasks:write", "knowledge:read", "knowledge:write", "hooks"];
  const [created] = await dashboard.api.mutateAll<{ key: string }>("apiKeys.create", [{ name, scopes }]);
  return async (path: string, body: object): Promise<any> => {
    const response = await fetch(`${dashboard.server.url}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${created?.key ?? ""}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    expect([path, response.status < 300]).toEqual([path, true]);
    return ((await response.json()) as { data: unknown }).data;
  };
}

const news = (page: Page) => page.getByRole("region", { name: /^Since you/ });
const item = (page: Page, text: string) => news(page).getByRole("listitem").filter({ hasText: text });

it("shows what others did, until it is opened or marked as read", async () => {
  const program = await connectProgram("Laptop");
  const { page, watch } = await dashboard.visit();
  await page.goto("/");
  await page.getByRole("heading", { name: "Home" }).waitFor();
  expect(await news(page).count()).toBe(0);

  const { id } = await program("/api/v1/tasks", { title: "Dig the pond" });
  await item(page, "Dig the pond").getByText("Created by Laptop (program)").waitFor();
  await program("/api/v1/notes/create", { path: "Reeds.md", content: "# Reeds" });
  await program(`/api/v1/tasks/${id}/comments`, { text: "How deep?" });
  // What follows closely is shown together.
  await item(page, "How deep?").getByText("Created and commented on").waitFor({ timeout: 20_000 });
  await item(page, "Reeds").waitFor();
  await page.getByRole("link", { name: "Home 2 unread" }).waitFor();

  await item(page, "How deep?").getByRole("link", { name: "Dig the pond" }).click();
  await page.getByRole("complementary", { name: "Task" }).waitFor();
  await item(page, "How deep?").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Home 1 unread" }).waitFor();
  await page.keyboard.press("Escape");
  await watch.settle();
  await page.keyboard.press("Shift+M");
  await news(page).waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.getByRole("link", { name: "Reeds" }).first().waitFor({ state: "detached" });
  expect(await news(page).count()).toBe(0);
});

it("what waits is decided there: calls of assistants, and memories", async () => {
  const contents = ["Deployments need the VPN.", "Invoices are numbered per year."];
  const memories = contents.map((content) => ({ type: "fact", content, excerpt: content, relevance: 0.8 }));
  model.double.reply({ text: JSON.stringify({ memories }) });
  await dashboard.api.mutateAll("memory.extract", [{ transcript: contents.join(" ") }]);
  const { page } = await dashboard.visit();
  await page.goto("/");
  const review = page.getByRole("region", { name: "Memories to review" });
  await review.getByText("Deployments need the VPN.").waitFor();
  await review.getByRole("listitem").filter({ hasText: "Invoices" }).getByRole("button", { name: "Keep" }).click();
  await review.getByText("Invoices").waitFor({ state: "detached" });
  await review.getByRole("button", { name: "Forget" }).click();
  await review.waitFor({ state: "detached" });

  const data = {
    id: randomUUID(),
    digest: "0".repeat(64),
    harness: "claude-code",
    sessionId: "session-of-a-deploy",
    project: "github.com/ada/pond",
    folder: "/home/ada/pond",
    toolName: "Bash",
    call: "deploy --now",
    effect: "This deploys.",
    timeoutMs: 60_000,
  };
  const asked = page.request.post("/api/hooks/approvals", { data, timeout: 60_000 });
  const waiting = page.getByRole("region", { name: "An assistant waits for you" });
  await waiting.getByRole("button", { name: "Allow once" }).click();
  expect((await (await asked).json()).data.outcome).toBe("allowed_once");
  await waiting.waitFor({ state: "detached" });
});

it("a run that failed is run again from there", async () => {
  const agent = { name: "Gardener", schedule: "0 0 29 2 *", prompt: "Work.", tools: [] };
  const [created] = await dashboard.api.mutateAll<{ id: string }>("agents.create", [agent]);
  model.double.reply({ fault: { kind: "status", status: 400 } }, { text: "Everything grows." });
  await dashboard.api.mutateAll("agents.run", [{ id: created?.id ?? "" }]);
  const { page } = await dashboard.visit();
  await page.goto("/");
  await item(page, "Gardener").getByText("1 run, 1 failed").waitFor();
  await item(page, "Gardener").getByRole("button", { name: "Run again" }).click();
  await item(page, "Gardener").getByText("Everything grows.").waitFor({ timeout: 20_000 });
  expect(await item(page, "Gardener").getByRole("button").count()).toBe(0);
});

it("is accessible on a desktop and on a phone", async () => {
  const program = await connectProgram("Assistant");
  const [plan] = await dashboard.api.mutateAll<{ id: string }>("tasks.create", [{ title: "Plan the garden" }]);
  await program(`/api/v1/tasks/${plan?.id ?? ""}/comments`, { text: "Where shall the pond be?" });
  await program("/api/v1/tasks", {
    title: "A task with a title that is too long to be shown in one line on any phone",
  });
  await program("/api/v1/notes/create", { path: "Plan.md", content: "# Plan" });
  const event = { eventType: "PreToolUse", sessionId: "s", toolName: "Bash", projectDir: "/home/ada/pond" };
  const blockReason = "git push --force rewrites what others have pulled.";
  await program("/api/hooks/events", { ...event, blocked: true, blockReason });
  for (const size of Object.keys(SIZES) as Size[]) {
    const { page, watch } = await dashboard.visit({ size });
    await page.goto("/");
    await item(page, "Plan the garden").waitFor();
    await page.getByRole("region", { name: "Assistants at work" }).waitFor();
    await watch.settle();
    expect(await checkThemes(page, `home-${size}`)).toEqual([]);
  }
});
