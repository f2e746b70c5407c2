/** Registers the service worker, which shows push messages, and a page of its own while the server cannot be reached. */
export async function startServiceWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register("/service-worker.js", { scope: "/", updateViaCache: "none" });
  return navigator.serviceWorker.ready;
}

/** In an installed app, where a page that says that the server cannot be reached has no browser around it. */
export async function startOfflinePage(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  // Without it, the browser shows its own page.
  await startServiceWorker().catch(() => undefined);
}
