import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

let model: ModelDouble;
beforeAll(async () => {
  model = await startModelDouble();
});
afterAll(() => model.close());
const dashboard = setUpDashboard();

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

it("the chat says that it has no model, and answers once one is chosen, without a restart", async () => {
  const { page } = await dashboard.visit();
  await page.goto("/chat");
  await page.getByText("Nobody would answer yet").waitFor();
  await page.getByRole("link", { name: "Choose a model" }).click();
  expect(await checkThemes(page, "settings-empty")).toEqual([]);

  await page.getByRole("button", { name: "Other endpoint" }).click();
  const endpoint = section(page, "Other endpoint");
  await endpoint.getByLabel("Base URL").fill(model.baseUrl);
  await endpoint.getByLabel("API key").fill("sk-of-ada");
  await endpoint.getByRole("button", { name: "Test connection" }).click();
  await endpoint.getByText("It lists 3 models.").waitFor();
  const chat = section(page, "Chat");
  await chat.getByLabel("Model", { exact: true }).fill("gpt-5-mini");
  model.reply({ text: "OK" });
  await chat.getByRole("button", { name: "Test the model" }).click();
  await chat.getByText("It answered: OK").waitFor();
  await page.getByLabel("Daily budget").fill("2.50");
  await page.getByRole("button", { name: "Save models" }).click();
  await page.getByText("The models have been saved").waitFor();
  expect(await endpoint.getByLabel("API key").inputValue()).toBe("");
  await endpoint.getByText("Stored as a secret. Leave empty to keep it.").waitFor();
  expect(await checkThemes(page, "settings-models")).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await checkThemes(page, "settings-models-phone")).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.goto("/chat");
  model.reply({ text: "A heron, I think." });
  await page.getByRole("textbox", { name: "Message" }).fill("Which bird stands still?");
  await page.keyboard.press("Enter");
  await page.getByText("A heron, I think.").waitFor();
  expect(model.apiKeys.at(-1)).toBe("sk-of-ada");
  expect(await page.getByText("Nobody would answer yet").count()).toBe(0);
  await page.goto("/usage");
  await page.getByText("of $2.50 spent today").waitFor();
});

it("what the server refuses stays in the form, with the reason", async () => {
  const { page, watch } = await dashboard.visit();
  watch.expect(/400/);
  await page.goto("/settings");
  const endpoint = section(page, "Other endpoint");
  await endpoint.getByLabel("Base URL").fill("https://elsewhere.example/v1");
  await page.getByRole("button", { name: "Save models" }).click();
  await page.getByText(/Not saved\. .*must be entered again/).waitFor();
  expect(await endpoint.getByLabel("Base URL").inputValue()).toBe("https://elsewhere.example/v1");
});

it("one sees where one is signed in, what happened, and ends it elsewhere", async () => {
  const { page } = await dashboard.visit();
  const other = await dashboard.visit({ isSignedIn: false });
  const credentials = { email: dashboard.server.email, password: "not the password" };
  expect((await other.page.request.post("/api/auth/sign-in/email", { data: credentials })).status()).toBe(401);
  await page.goto("/settings?view=account");
  await section(page, "Sign-ins").getByText("Wrong password").waitFor();
  const devices = section(page, "Signed-in devices");
  await devices.getByText("This device").waitFor();
  expect(await checkThemes(page, "settings-account")).toEqual([]);
  await page.getByLabel("Name").fill("Ada Byron");
  await page.getByRole("button", { name: "Save name" }).click();
  await page.getByText("Your name has been changed").waitFor();
  await page.getByRole("radio", { name: "People" }).click();
  await page.getByText("Ada Byron").first().waitFor();
  expect(await checkThemes(page, "settings-people")).toEqual([]);
});

it("one sees whether the server is well, and what it stores", async () => {
  const { page, watch } = await dashboard.visit();
  await page.goto("/settings?view=server");
  await page.getByRole("region", { name: "Health" }).getByText("Responds in").waitFor();
  await page.getByRole("region", { name: "Processes" }).getByText("Answers you").waitFor();
  await page.getByRole("region", { name: "Largest tables" }).getByRole("row").nth(1).waitFor();
  await watch.settle();
  expect(await checkThemes(page, "settings-server")).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  // The chosen view is scrolled into sight among the others.
  const right = () =>
    page.getByRole("radio", { name: "Server" }).evaluate((chosen) => chosen.getBoundingClientRect().right);
  await expect.poll(right).toBeLessThanOrEqual(390);
  expect(await checkThemes(page, "settings-server-phone")).toEqual([]);
});
