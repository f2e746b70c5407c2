/** Registers the service worker, which shows push messages, and the pages while the server cannot be reached. */
export async function startServiceWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register("/service-worker.js", { scope: "/", updateViaCache: "none" });
  return navigator.serviceWorker.ready;
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
