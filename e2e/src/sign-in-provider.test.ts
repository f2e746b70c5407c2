import { startSignInProvider, type SignInProviderServer } from "@workspace/core/testing/sign-in-provider";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

let provider: SignInProviderServer;
beforeAll(async () => {
  provider = await startSignInProvider();
});
const dashboard = setUpDashboard(() => ({ ...provider.env, OIDC_NAME: "Acme" }));
beforeAll(() => {
  provider.redirectUrls.add(`${dashboard.server.url}/api/auth/oidc/callback`);
});
afterAll(() => provider.close());

const section = (page: Page, name: string) => page.getByRole("region", { name });
const isHere = (url: URL) => url.origin === dashboard.server.url;

/** The provider's pages load a font from elsewhere. */
const FONT = /fonts\.googleapis\.com/;

/** Signs in on the provider's own pages, which are not ours to judge. */
async function signInAtProvider(page: Page, login: string): Promise<void> {
  await page.waitForURL(`${provider.issuer}/interaction/**`);
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(isHere);
}

it("somebody signs in at the provider, and comes back to the page that they wanted", async () => {
  provider.people.set("grace", { email: "grace@example.com", email_verified: true, name: "Grace" });
  const { page, watch } = await dashboard.visit({ isSignedIn: false });
  watch.expect(FONT);
  await page.goto("/projects");
  const button = page.getByRole("button", { name: "Continue with Acme" });
  await button.waitFor();
  // This server sends no mail.
  await page.getByText("npx workspace user reset-password").waitFor();
  expect(await checkThemes(page, "sign-in-provider")).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await checkThemes(page, "sign-in-provider-phone")).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("link", { name: "Create one" }).click();
  await page.getByRole("heading", { name: "Create an account" }).waitFor();
  await button.waitFor();
  expect(await checkThemes(page, "sign-up-provider")).toEqual([]);
  await button.click();
  await signInAtProvider(page, "grace");
  await page.waitForURL(`${dashboard.server.url}/projects`);
  await page.goto("/settings?view=account");
  await section(page, "Acme").getByText("Linked", { exact: true }).waitFor();
  await section(page, "Sign-ins").getByText("Account created with the provider").waitFor();
  await page.getByText("You sign in as grace@example.com.").waitFor();
  expect(await checkThemes(page, "settings-provider")).toEqual([]);
});

it("the provider is linked with the password, signs in, and is unlinked", async () => {
  provider.people.set("ada", { email: "ada-at-acme@example.com", email_verified: false });
  const { page, watch } = await dashboard.visit();
  for (const pattern of [FONT, /401/, /400/]) watch.expect(pattern);
  await page.goto("/settings?view=account");
  await section(page, "Acme").getByRole("button", { name: "Link Acme" }).click();
  await page.getByRole("dialog").getByLabel("Password").fill(dashboard.server.password);
  expect(await checkThemes(page, "provider-link")).toEqual([]);
  await page.getByRole("button", { name: "Continue" }).click();
  await signInAtProvider(page, "ada");
  await section(page, "Acme").getByText("Linked", { exact: true }).waitFor();
  await section(page, "Sign-ins").getByText("Provider linked").waitFor();

  await page.context().clearCookies();
  const asked = `/authorize?request=${"x".repeat(3_000)}`;
  await page.goto(asked);
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  await signInAtProvider(page, "ada");
  await page.waitForURL(`${dashboard.server.url}${asked}`);
  await page.goto("/settings?view=account");
  await section(page, "Acme").getByRole("button", { name: "Unlink Acme" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Unlink" }).click();
  await section(page, "Acme").getByRole("button", { name: "Link Acme" }).waitFor();
});

it("whoever cannot be let in reads why, and so does whoever finds the provider away", async () => {
  provider.people.set("eve", { email: "eve@example.com", email_verified: false });
  const { page, watch } = await dashboard.visit({ isSignedIn: false });
  for (const pattern of [FONT, /503/]) watch.expect(pattern);
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  await signInAtProvider(page, "eve");
  await page.getByText("Acme has not verified your email address").waitFor();
  expect(await checkThemes(page, "sign-in-provider-refused")).toEqual([]);
  // The server asks for the provider's configuration after its start.
  provider.setBroken(true);
  await dashboard.server.stop();
  await dashboard.server.restart();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  await page.getByText("Acme does not respond").waitFor();
  provider.setBroken(false);
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  await page.getByText("Acme has not verified your email address").waitFor();
  // Otherwise the provider would take them for the same person for ever.
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  await page.waitForURL(`${provider.issuer}/interaction/**`);
});
