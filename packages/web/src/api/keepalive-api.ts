import { createUnbatchedApi, type Api } from "./api.ts";
import type { ApiFetch } from "./fetch.ts";

/** Browsers limit keepalive requests to 64 KiB in total; some of it is left for their headers. */
const MAX_KEEPALIVE_BYTES = 60 * 1024;

/**
 * Calls procedures while the page may be about to unload: a request is sent before anything else happens, and outlives the
 * page if it is small enough.
 */
export function createKeepaliveApi(fetch: ApiFetch): Api {
  let bytesInFlight = 0;
  return createUnbatchedApi(async (input, init) => {
    const size = typeof init?.body === "string" ? new TextEncoder().encode(init.body).length : 0;
    const keepalive = bytesInFlight + size <= MAX_KEEPALIVE_BYTES;
    if (!keepalive) return fetch(input, init);
    bytesInFlight += size;
    try {
      return await fetch(input, { ...init, keepalive });
    } finally {
      bytesInFlight -= size;
    }
  });
}
