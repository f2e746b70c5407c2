import { keepFiles, startServiceWorker } from "../../browser/service-worker.ts";
import type { Client } from "../../client/client.ts";
import { loadCodeAhead } from "../../client/code-parts.ts";

/** Loads and keeps what the pages need while the server cannot be reached. */
export async function prepareForAbsence(client: Client): Promise<void> {
  const isAllLoaded = await loadCodeAhead();
  if (!isAllLoaded) {
    // An installed app has no browser around it that would say that the server is away.
    if (matchMedia("(display-mode: standalone)").matches) await startServiceWorker();
    return;
  }
  await keepFiles();
  (await import("../documents/offline/text-keeper.ts")).textKeeper(client).start();
}
