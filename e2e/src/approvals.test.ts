import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

const dashboard = setUpDashboard();

interface Decision {
  readonly outcome: string | null;
  readonly note: string | null;
}

/** Asks about a call as the hook of an assistant does, and returns what a person decides. */
async function ask(page: Page, call: string, more: object = {}): Promise<Decision> {
  const data = {
    id: randomUUID(),
    digest: "0".repeat(64),
    harness: "claude-code",
    sessionId: "session-of-a-deploy",
    project: "github.com/ada/pond",
    folder: "/home/ada/pond",
    toolName: "Bash",
    call,
    effect: "This deploys. (rule ask-deploy)",
    timeoutMs: 60_000,
    ...more,
  };
  const response = await page.request.post("/api/hooks/approvals", { data, timeout: 60_000 });
  return (await response.json()).data;
}

const card = (page: Page, call: string) => page.getByRole("article").filter({ hasText: call });

it("a call is decided by a click or a key, with what to do instead, and is in the history", async () => {
  const { page } = await dashboard.visit();
  await page.goto("/tasks");
  const [first, second] = [ask(page, "deploy one"), ask(page, "deploy two")];
  await page.getByRole("link", { name: "Decide", exact: true }).click();
  await card(page, "deploy one").getByRole("button", { name: "Allow once" }).click();
  expect((await first).outcome).toBe("allowed_once");
  await card(page, "deploy one").waitFor({ state: "detached" });
  const note = card(page, "deploy two").getByLabel("What to do instead");
  await note.fill("Use staging.");
  await note.blur();
  await expect.poll(() => card(page, "deploy two").getByRole("button", { name: "Deny" }).isEnabled()).toBe(true);
  await page.keyboard.press("d");
  expect(await second).toMatchObject({ outcome: "denied", note: "Use staging." });
  await page.getByText("Nothing to decide").waitFor();
  await page.getByRole("radio", { name: "History" }).click();
  const denied = page.getByRole("listitem").filter({ hasText: "deploy two" });
  await denied.getByText("“Use staging.”").waitFor();
  // There is nothing more.
  expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
  expect(await checkThemes(page, "approval-history")).toEqual([]);
});

it("who answers second is told who has answered, and how", async () => {
  const { page, watch } = await dashboard.visit();
  watch.expect(/\b409\b/);
  await page.goto("/approvals");
  const asked = ask(page, "deploy twice");
  await page.route("**/approvals.decide*", async (route) => {
    const { data } = await (await page.request.get("/api/hooks/approvals?open=true")).json();
    await page.request.post(`/api/hooks/approvals/${data[0].id}/decision`, { data: { decision: "denied" } });
    await route.continue();
  });
  await card(page, "deploy twice").getByRole("button", { name: "Allow once" }).click();
  await page
    .getByText(/has already denied this call/)
    .last()
    .waitFor();
  await card(page, "deploy twice").waitFor({ state: "detached" });
  expect((await asked).outcome).toBe("denied");
  expect(await checkThemes(page, "approval-second-answer")).toEqual([]);
});

it("what cannot be done without the server is said, and a call can be decided about once it responds", async () => {
  const { page, context, watch } = await dashboard.visit({ loadsAhead: true });
  watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|RequestError|fetching the script/);
  await page.goto("/approvals?view=sessions");
  await page
    .getByText("No session is running")
    .or(page.getByRole("list", { name: "Running sessions" }))
    .waitFor();
  for (const view of ["Settings", "Open"]) await page.getByRole("radio", { name: view }).click();
  const asked = ask(page, "deploy later");
  const deny = card(page, "deploy later").getByRole("button", { name: "Deny" });
  await expect.poll(() => deny.isEnabled()).toBe(true);
  await context.setOffline(true);
  await card(page, "deploy later").getByText("This call can be decided about once the server responds.").waitFor();
  expect(await deny.isDisabled()).toBe(true);
  await page.keyboard.press("d");
  expect(await checkThemes(page, "approvals-offline")).toEqual([]);
  await page.getByRole("radio", { name: "Sessions" }).click();
  await page.getByText("Sessions can be told something, paused and stopped once the server responds.").waitFor();
  await page.getByRole("radio", { name: "Settings" }).click();
  await page.getByText("What is set here can be changed once the server responds.").waitFor();
  await page.getByRole("radio", { name: "Open" }).click();
  await context.setOffline(false);
  await deny.click();
  expect((await asked).outcome).toBe("denied");
  await page.getByText("Nothing to decide", { exact: true }).waitFor();
  await context.setOffline(true);
  await page.getByText("Nothing to decide that is known here").waitFor();
});

it("sessions that wait in their own windows are shown, there and on their own pages", async () => {
  const { page } = await dashboard.visit();
  await page.goto("/approvals");
  const session = "/api/hooks/sessions/session-that-waits";
  await page.request.post("/api/hooks/events", {
    data: { eventType: "SessionStart", sessionId: "session-that-waits", occurredAt: "2026-01-01T00:00:00Z" },
  });
  const wait = {
    harness: "codex",
    project: "github.com/ada/pond",
    reason: "permission",
    text: "Bash: deploy\u202e now",
  };
  await page.request.post(`${session}/wait`, { data: wait });
  const waiting = page.getByRole("region", { name: "Waiting in their own windows" });
  await waiting.getByText("Bash: deploy⟨202E⟩ now").waitFor();
  expect(await checkThemes(page, "waiting")).toEqual([]);
  await waiting.getByRole("link", { name: "codex in github.com/ada/pond" }).click();
  await page.getByText("Waits for").waitFor();
  expect(await checkThemes(page, "waiting-session")).toEqual([]);
  await page.request.post("/api/hooks/events", {
    data: { eventType: "SessionEnd", sessionId: "session-that-waits" },
  });
  await page.goto("/approvals");
  await page.getByText("Nothing to decide").waitFor();
  expect(await waiting.count()).toBe(0);
});

it("what is always allowed is on the page of the policy, until it is removed", async () => {
  const { page } = await dashboard.visit();
  await page.goto("/approvals");
  const asked = ask(page, "deploy always");
  await card(page, "deploy always").getByRole("button", { name: "Always allow here" }).click();
  expect((await asked).outcome).toBe("allowed_here");
  await page.goto("/hooks?view=policy");
  const row = page.getByRole("listitem").filter({ hasText: "deploy always" });
  await row.getByRole("button", { name: "Ask about deploy always again" }).click();
  await row.waitFor({ state: "detached" });
});

it("the page fits a phone, and shows a diff and hidden characters", async () => {
  const { page } = await dashboard.visit();
  await page.setViewportSize({ width: 360, height: 740 });
  const diff = `@@ -1 +1 @@\n-${"port = 80 ".repeat(30)}\n+port = 443`;
  const asked = ask(page, `edit \u202e${"long/".repeat(60)}app.conf`, { diff, toolName: "Edit" });
  await page.goto("/approvals");
  await card(page, "app.conf").getByText("⟨202E⟩").waitFor();
  expect(await checkThemes(page, "approvals-phone")).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await card(page, "app.conf").getByRole("button", { name: "Deny" }).click();
  expect((await asked).outcome).toBe("denied");
});

it("where calls are asked about is set for all projects and for one", async () => {
  const { page } = await dashboard.visit();
  await page.goto("/approvals?view=settings");
  await page.getByLabel("All projects").selectOption("60");
  await page.getByLabel("Other for one project").fill("github.com/ada/pond");
  await page.getByRole("button", { name: "Add project" }).click();
  await page.getByLabel("github.com/ada/pond", { exact: true }).selectOption("0");
  expect(await checkThemes(page, "approval-settings")).toEqual([]);
  await page.getByRole("button", { name: "Save settings" }).click();
  const stored = async () => (await (await page.request.get("/api/hooks/approval-settings")).json()).data;
  await expect
    .poll(stored)
    .toMatchObject({ waitSeconds: 60, projects: [{ project: "github.com/ada/pond", waitSeconds: 0 }] });
});
