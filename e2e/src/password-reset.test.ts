import { startMailServer, type MailServer } from "@workspace/core/testing/mail-server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
});
const dashboard = setUpDashboard(() => mail.env);
afterAll(() => mail.close());

const NEW_PASSWORD = "an entirely new password";

it("whoever has forgotten their password sets a new one by a mail, once", async () => {
  const { page, watch } = await dashboard.visit({ isSignedIn: false });
  watch.expect(/400/);
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(dashboard.server.email);
  const link = page.getByRole("link", { name: "Forgot your password?" });
  await link.waitFor();
  expect(await checkThemes(page, "sign-in-mail")).toEqual([]);
  await link.click();
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
  // What was typed on the page before is still there.
  expect(await page.getByLabel("Email").inputValue()).toBe(dashboard.server.email);
  expect(await checkThemes(page, "forgot-password")).toEqual([]);
  await page.getByRole("button", { name: "Send email" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await checkThemes(page, "forgot-password-sent-phone")).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });

  const pageInMail = () => /http\S+\/reset-password#\S+/.exec(mail.received[0]?.source ?? "")?.[0];
  await expect.poll(pageInMail, { timeout: 20_000 }).toBeDefined();
  const url = pageInMail() ?? "";
  await page.goto(url);
  await page.getByLabel("New password").waitFor();
  expect(page.url()).not.toContain("#");
  expect(await checkThemes(page, "reset-password")).toEqual([]);
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByRole("heading", { name: "Your password is set" }).waitFor();
  expect(await checkThemes(page, "reset-password-done")).toEqual([]);
  await page.getByRole("link", { name: "Sign in with the new password" }).click();
  await page.getByLabel("Password", { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((address) => address.pathname === "/");
  await page.goto("/settings?view=account");
  await page.getByRole("region", { name: "Sign-ins" }).getByText("New password set by email").waitFor();

  await page.goto(url);
  await page.getByLabel("New password").fill("yet another password");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByRole("heading", { name: "This link is no longer valid" }).waitFor();
  expect(await checkThemes(page, "reset-password-over")).toEqual([]);
});
