import { createECDH, randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

const dashboard = setUpDashboard();

const settings = (page: Page) => page.getByRole("region", { name: "Notifications on this device" });

/** Registers the service worker, as new: tests share what a browser keeps. */
async function registerServiceWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const former of await navigator.serviceWorker.getRegistrations()) await former.unregister();
    await navigator.serviceWorker.register("/service-worker.js");
    await navigator.serviceWorker.ready;
  });
}

/** Hands a message to the page's service worker, as if the browser had decrypted it. */
async function deliverPush(page: Page, data: string): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const current = registrations.find(({ isDeleted }) => !isDeleted);
      if (current !== undefined) resolve(current.registrationId);
    }),
  );
  await cdp.send("ServiceWorker.enable");
  const registrationId = await registered;
  await cdp.send("ServiceWorker.deliverPushMessage", { origin: new URL(page.url()).origin, registrationId, data });
}

/** Replaces the browser's push service, which no test can reach, by one that gives out subscriptions. */
async function pretendToSubscribe(page: Page): Promise<void> {
  const ecdh = createECDH("prime256v1");
  const own = ecdh.generateKeys("base64url");
  await page.addInitScript((p256dh) => {
    let endpoint: string | null = null;
    const subscription = {
      unsubscribe: () => Promise.resolve(((endpoint = null), true)),
      toJSON: () => ({ endpoint, keys: { p256dh, auth: "A".repeat(22) } }),
    };
    const given = () => (endpoint === null ? null : subscription);
    Object.assign(PushManager.prototype, {
      getSubscription: () => Promise.resolve(given()),
      subscribe: () => Promise.resolve(((endpoint = `https://push.example.com/${Math.random()}`), subscription)),
    });
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
    Notification.requestPermission = () => Promise.resolve("granted");
  }, own);
}

it("are turned on, tried and turned off in the settings", async () => {
  const { page } = await dashboard.visit();
  await pretendToSubscribe(page);
  await page.goto("/approvals?view=settings");
  await settings(page).getByRole("button", { name: "Turn on" }).click();
  await settings(page).getByText("Turned on.").waitFor();
  await settings(page).getByRole("button", { name: "Send a test" }).click();
  await settings(page).getByText("The push service could not be reached").waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await checkThemes(page, "notifications-phone")).toEqual([]);
  await settings(page).getByRole("button", { name: "Turn off" }).click();
  await settings(page).getByRole("button", { name: "Turn on" }).click();
  await settings(page).getByText("Turned on.").waitFor();
});

it("say why they cannot be turned on, and what to do", async () => {
  const { page } = await dashboard.visit();
  await page.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "denied" }));
  await page.goto("/approvals?view=settings");
  await settings(page).getByText("Allow them in its settings for this site").waitFor();
  expect(await checkThemes(page, "notifications-denied")).toEqual([]);
});

it("a message is shown by the service worker, and opens the call", async () => {
  const { page } = await dashboard.visit();
  const context = page.context();
  await page.goto("/tasks");
  const started = context.waitForEvent("serviceworker");
  await registerServiceWorker(page);
  const worker = await started;
  // This Chromium shows no notifications and opens no windows for them.
  await worker.evaluate(() => {
    const log: unknown[] = [];
    const prototypeOf = (name: string) => Reflect.get(Reflect.get(self, name), "prototype");
    Object.assign(self, { log });
    Object.assign(ServiceWorkerRegistration.prototype, {
      showNotification: (title: string, options: object) => Promise.resolve(log.push({ title, ...options })),
    });
    Object.assign(prototypeOf("Clients"), { openWindow: (url: string) => Promise.resolve(log.push(url)) });
  });
  const path = `/approvals?call=${randomUUID()}`;
  const data = JSON.stringify({ title: "rm -rf build", body: "Bash of codex", path, tag: "a" });
  await deliverPush(page, data);
  const log = () => worker.evaluate(() => Reflect.get(self, "log"));
  const shown = { title: "rm -rf build", body: "Bash of codex", tag: "a", data: { path }, silent: true };
  await expect.poll(log).toMatchObject([shown]);
  await worker.evaluate((opened) => {
    const notification = { data: { path: opened }, close: () => undefined };
    const event = Object.assign(new Event("notificationclick"), { notification, waitUntil: () => undefined });
    self.dispatchEvent(event);
  }, path);
  await expect.poll(log).toMatchObject([shown, new URL(path, page.url()).href]);
  await page.goto(path);
  await page.getByText("The call of the notification does not wait any more").waitFor();
});

it("the service worker shows a page of its own while the server is away, as long as it has kept no other", async () => {
  const { page } = await dashboard.visit();
  await page.goto("/tasks");
  await registerServiceWorker(page);
  // A page that asks the server for nothing.
  await page.goto("/favicon.svg");
  await page.context().setOffline(true);
  await page.goto("/tasks");
  await page.getByRole("heading", { name: "Workspace cannot be reached" }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole("link", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Tasks", exact: true }).waitFor();
  const kept = await page.evaluate(async () => (await (await caches.open("files-1")).keys()).map(({ url }) => url));
  const paths = kept.map((url) => new URL(url).pathname);
  expect(paths.filter((path) => !path.startsWith("/assets/"))).toEqual(["/offline.html"]);
});
