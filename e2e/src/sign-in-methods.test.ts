import { codeOf, nextCodeOf } from "@workspace/core/testing";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

const dashboard = setUpDashboard();

const section = (page: Page, name: string) => page.getByRole("region", { name });

async function enterPassword(page: Page): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(dashboard.server.email);
  await page.getByLabel("Password").fill(dashboard.server.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Gives a window a device that keeps passkeys, until the returned function takes it away: tests use one window after the other. */
async function addDevice(page: Page, { isUserVerified = true } = {}) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
  return () => session.send("WebAuthn.disable");
}

it("an app is set up by its code, asked for from then on, replaced by a recovery code, and turned off", async () => {
  const { page, watch: here } = await dashboard.visit();
  here.expect(/400/);
  const password = page.getByRole("dialog").getByLabel("Password");
  await page.goto("/settings?view=account");
  await section(page, "Authenticator app").getByRole("button", { name: "Set up an app" }).click();
  await password.fill("not the password");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText(/Not begun\. .*is not your password/).waitFor();
  await password.fill(dashboard.server.password);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByAltText("The QR code for your app").waitFor();
  expect(await checkThemes(page, "codes-scan")).toEqual([]);
  const secret = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
  const uri = `otpauth://totp/Workspace?secret=${secret}`;
  await page.getByLabel("Code").fill(codeOf(uri));
  await page.getByRole("button", { name: "Turn on" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await codes.first().waitFor();
  expect(await codes.count()).toBe(10);
  const recoveryCode = (await codes.first().textContent()) ?? "";
  expect(await checkThemes(page, "codes-recovery")).toEqual([]);
  await page.getByRole("button", { name: "I have kept them" }).click();
  await section(page, "Authenticator app").getByText("On", { exact: true }).waitFor();
  await section(page, "Sign-ins").getByText("Authenticator app turned on").waitFor();
  expect(await checkThemes(page, "settings-codes-on")).toEqual([]);

  const { page: other, watch } = await dashboard.visit({ isSignedIn: false });
  watch.expect(/401/);
  await enterPassword(other);
  await other.getByLabel("Code").waitFor();
  expect(await checkThemes(other, "sign-in-code")).toEqual([]);
  await other.getByLabel("Code").fill("000 000");
  await other.getByRole("button", { name: "Sign in", exact: true }).click();
  await other.getByText("This code is not right").waitFor();
  await other.getByLabel("Code").fill(nextCodeOf(uri));
  await other.getByRole("button", { name: "Sign in", exact: true }).click();
  await other.waitForURL((url) => url.pathname !== "/sign-in");

  await other.context().clearCookies();
  await enterPassword(other);
  await other.getByRole("button", { name: "Use a recovery code" }).click();
  await other.getByLabel("Recovery code").fill(recoveryCode);
  await other.getByRole("button", { name: "Sign in", exact: true }).click();
  await other.waitForURL((url) => url.pathname !== "/sign-in");

  await page.reload();
  await section(page, "Sign-ins").getByText("Signed in with a recovery code").waitFor();
  await section(page, "Authenticator app").getByRole("button", { name: "Turn off" }).click();
  await password.fill(dashboard.server.password);
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await section(page, "Authenticator app").getByRole("button", { name: "Set up an app" }).waitFor();
});

it("a passkey is added with the password, signs in, and no longer does once it is removed", async () => {
  const { page, watch } = await dashboard.visit();
  // The page that is open when the cookies are cleared may ask for something once more.
  watch.expect(/401/);
  const removeDevice = await addDevice(page);
  await page.goto("/settings?view=account");
  const passkeys = section(page, "Passkeys");
  await passkeys.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Ada's laptop");
  await dialog.getByLabel("Password").fill(dashboard.server.password);
  expect(await checkThemes(page, "passkey-add")).toEqual([]);
  await dialog.getByRole("button", { name: "Add passkey" }).click();
  const removal = passkeys.getByRole("button", { name: "Remove Ada's laptop" });
  await removal.waitFor();
  expect(await checkThemes(page, "settings-passkeys")).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await checkThemes(page, "settings-passkeys-phone")).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.context().clearCookies();
  await page.goto("/sign-in");
  expect(await checkThemes(page, "sign-in")).toEqual([]);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  await page.goto("/settings?view=account");
  await section(page, "Sign-ins").getByText("Signed in with a passkey").waitFor();

  await removal.click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await removal.waitFor({ state: "detached" });
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByText("This passkey does not sign in here").waitFor();
  await removeDevice();
});

it("a passkey of a device that does not verify who uses it is not taken", async () => {
  const { page } = await dashboard.visit();
  const removeDevice = await addDevice(page, { isUserVerified: false });
  await page.goto("/settings?view=account");
  await section(page, "Passkeys").getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Password").fill(dashboard.server.password);
  await dialog.getByRole("button", { name: "Add passkey" }).click();
  await dialog.getByText("Not added.").waitFor();
  await removeDevice();
});
