import type { Client } from "../../client/client.ts";
import { findServiceWorker, startServiceWorker } from "../../browser/service-worker.ts";

/** A failure that the browser is the reason for, with what a person can do. */
export class PushProblem extends Error {
  override readonly name = "PushProblem";
}

/** What keeps this browser from showing notifications; null if nothing does. */
export type PushObstacle = "insecure" | "ios" | "unsupported" | "denied";

/** Why this browser cannot get push messages, as far as that can be known before asking for the permission. */
export function findPushObstacle(): PushObstacle | null {
  if (!window.isSecureContext) return "insecure";
  const hasPush = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  if (!hasPush) return isIos() ? "ios" : "unsupported";
  return Notification.permission === "denied" ? "denied" : null;
}

/** An iPad pretends to be a Mac, but has a touch screen. */
function isIos(): boolean {
  return /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
}

/** Whether this browser has a subscription, which the server may have ended. */
export async function hasSubscription(): Promise<boolean> {
  if (findPushObstacle() !== null || Notification.permission !== "granted") return false;
  const registration = await findServiceWorker();
  return registration !== undefined && (await registration.pushManager.getSubscription()) !== null;
}

/** Asks for the permission, if it has not been given, and subscribes. Throws {@link PushProblem}. */
export async function subscribeDevice(client: Client): Promise<void> {
  // First, because browsers only ask in response to a click.
  const permission = await Notification.requestPermission();
  if (permission !== "granted") throw new PushProblem("The browser was not allowed to show notifications.");
  const { publicKey } = (await client.api.push.getKey.query()).data;
  const registration = await startServiceWorker();
  const former = await registration.pushManager.getSubscription();
  // It may be for another key of the server.
  await former?.unsubscribe();
  const subscription = await subscribe(registration, publicKey);
  const { endpoint = "", keys = {} } = subscription.toJSON();
  const { p256dh = "", auth = "" } = keys;
  await client.api.push.subscribe.mutate({ endpoint, keys: { p256dh, auth } });
}

/** Ends the subscription in this browser; the server is to be asked separately. */
export async function unsubscribeDevice(): Promise<void> {
  const registration = await findServiceWorker();
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}

async function subscribe(registration: ServiceWorkerRegistration, publicKey: string): Promise<PushSubscription> {
  try {
    return await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  } catch (error) {
    throw new PushProblem(
      "The browser could not reach its push service. Some browsers have none, or it is switched off in their settings.",
      { cause: error },
    );
  }
}
