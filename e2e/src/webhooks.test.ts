import { startWebhookReceiver, type WebhookReceiver } from "@workspace/core/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.close());
const dashboard = setUpDashboard();

it("one creates a webhook, sees what it was sent, repairs the receiver, and sends again", async () => {
  const { page } = await dashboard.visit();
  await page.goto("/settings?view=webhooks");
  await page.getByText("No webhooks yet.").waitFor();
  await page.getByRole("button", { name: "New webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Home");
  await dialog.getByLabel("URL").fill(receiver.urlOf("/home"));
  await dialog.getByRole("checkbox", { name: "Your reminders of tasks" }).check();
  await dialog.getByRole("checkbox", { name: "Tasks: deleted" }).uncheck();
  expect(await checkThemes(page, "webhook-dialog")).toEqual([]);
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  const secret = page.getByRole("region", { name: "The new secret" });
  receiver.verify("/home", (await secret.locator("code").textContent()) ?? "");
  await secret.getByRole("button", { name: "I have saved it" }).click();

  const row = page.getByRole("listitem", { name: "Home" });
  await row.getByText("Reminders; Tasks created, changed, restored").waitFor();
  receiver.respond("/home", 500);
  await dashboard.api.mutateAll("tasks.create", [{ title: "Water the plants" }]);
  await row.getByText("Failing").waitFor({ timeout: 30_000 });
  await row.getByRole("button", { name: "Deliveries" }).click();
  await row.getByRole("button", { name: /task\.create.*Water the plants.*pending/ }).click();
  await row.getByText("The receiver responded with 500.").waitFor();
  expect(await checkThemes(page, "webhook-failing")).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await checkThemes(page, "webhook-failing-phone")).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });

  receiver.respond("/home", 200);
  await row.getByRole("button", { name: "Try now" }).click();
  await row.getByText("delivered · 200").waitFor({ timeout: 30_000 });
  expect(receiver.received.at(-1)).toMatchObject({ type: "task.create", data: { title: "Water the plants" } });
  await row.getByRole("button", { name: "Send test" }).click();
  await page.getByText("The receiver has accepted the test (200)").waitFor();
  expect(receiver.received.at(-1)?.type).toBe("webhook.test");
  expect(receiver.refused).toBe(0);

  await row.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete webhook" }).click();
  await page.getByText("No webhooks yet.").waitFor();
});

it("one is reminded by default of tasks that are due", async () => {
  const { page } = await dashboard.visit();
  await page.goto("/settings?view=account");
  await page.getByLabel("Due at a time").selectOption({ label: "30 minutes before" });
  await page.getByLabel("Due on a day, at").fill("08:00");
  await page.getByRole("button", { name: "Save reminders" }).click();
  await page.getByText("Your reminders have been saved").waitFor();
  expect(await checkThemes(page, "settings-reminders")).toEqual([]);
  const [task] = await dashboard.api.mutateAll<{ id: string }>("tasks.create", [
    { title: "Pay the rent", dueDate: "2030-01-31" },
  ]);
  await page.goto(`/tasks?view=list&task=${task?.id ?? ""}`);
  await page.getByText("Default · 31 Jan 2030 8:00").waitFor();
});
