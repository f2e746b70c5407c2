import { atBase } from "./base-path.ts";

const SCOPE = atBase("/");

/** Registers the service worker, which shows push messages, and the pages while the server cannot be reached. */
export async function startServiceWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(atBase("/service-worker.js"), { scope: SCOPE, updateViaCache: "none" });
  return navigator.serviceWorker.ready;
}

/** The service worker of the dashboard; undefined if it is not registered. */
export function findServiceWorker(): Promise<ServiceWorkerRegistration | undefined> {
  return navigator.serviceWorker.getRegistration(SCOPE);
}

/**
 * Has the browser keep the files of the dashboard, so that its pages open while the server cannot be reached. Browsers offer this on
 * secure origins only.
 */
export async function keepFiles(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const { active } = await startServiceWorker();
  active?.postMessage("keep-files");
}
