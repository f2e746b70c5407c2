import { expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

const dashboard = setUpDashboard();

it("an empty workspace shows the first steps, which are done by what happens, and are gone when all are", async () => {
  const { page } = await dashboard.visit();
  await page.goto("/");
  const steps = page.getByRole("region", { name: "Welcome to your workspace" });
  await steps.getByText("4 of 4 steps are left.").waitFor();
  expect(await checkThemes(page, "first-steps")).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await checkThemes(page, "first-steps-phone")).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });

  const post = async (path: string, data: object) =>
    expect((await page.request.post(path, { data })).status()).toBeLessThan(300);
  await post("/api/tasks", { title: "Feed the herons" });
  await steps.getByText("3 of 4 steps are left.").waitFor();
  await post("/api/fs/write", { path: "/Herons.md", content: "They stand still." });
  await steps.getByText("2 of 4 steps are left.").waitFor();
  await post("/api/hooks/events", { eventType: "SessionStart", sessionId: "s", projectDir: "/home/ada/pond" });
  await steps.getByText("One step is left.").waitFor();
  const settings = {
    endpoints: [{ id: "local", name: "Local", baseUrl: "http://127.0.0.1:9/v1" }],
    chat: { endpoint: "local", model: "small" },
    agents: null,
    extraction: null,
    embeddings: null,
    prices: [],
    dailyBudgetUsd: null,
  };
  expect((await page.request.put("/api/settings/models", { data: settings })).status()).toBe(200);
  await steps.waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("heading", { name: "Home" }).waitFor();
  expect(await steps.count()).toBe(0);
});
