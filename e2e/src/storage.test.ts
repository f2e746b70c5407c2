import { expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

const PATIENCE = { timeout: 60_000 };
const dashboard = setUpDashboard();

it("one chooses how long things are kept, sees what would go, and removes it", async () => {
  const { page } = await dashboard.visit();
  for (let days = 31; days <= 50; days += 1) {
    const occurredAt = new Date(Date.now() - days * 86_400_000).toISOString();
    const recorded = await page.request.post("/api/hooks/events", { data: { eventType: "PreToolUse", occurredAt } });
    expect(recorded.ok()).toBe(true);
  }
  await page.goto("/settings?view=storage");
  const events = page.getByRole("group", { name: "Hook events" });
  await events.getByText("20 events").waitFor();
  expect(await page.getByRole("button", { name: "Remove now" }).isDisabled()).toBe(true);
  expect(await page.getByRole("checkbox", { name: "Keep deleted tasks for ever" }).isChecked()).toBe(true);

  const days = page.getByRole("spinbutton", { name: "Hook events, days" });
  await days.fill("40");
  await page.getByRole("checkbox", { name: "Keep deleted tasks for ever" }).uncheck();
  await page.getByRole("spinbutton", { name: "Deleted tasks, days" }).fill("90");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The storage settings have been saved").waitFor(PATIENCE);
  await events.getByText(/11 events, .*, would be removed now/).waitFor(PATIENCE);
  expect(await checkThemes(page, "settings-storage")).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await checkThemes(page, "settings-storage-phone")).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.getByRole("button", { name: "Remove now" }).click();
  const question = page.getByRole("dialog", { name: "Remove old data now?" });
  await question.getByText("Hook events: 11 events").waitFor();
  await question.getByRole("button", { name: "Remove permanently" }).click();
  await page.getByRole("status").getByText("11 events").waitFor(PATIENCE);
  await events.getByText(/^9 events/).waitFor(PATIENCE);
  const left = await (await page.request.get("/api/hooks/events")).json();
  expect(left.data).toHaveLength(9);

  await page.goto("/settings?view=server");
  await page.getByText(/Removed .*: 11 events/).waitFor(PATIENCE);
});
