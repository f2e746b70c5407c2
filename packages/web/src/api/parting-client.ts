import { createTRPCClient, httpLink } from "@trpc/client";
import type { AppRouter } from "@workspace/core";
import { apiFetch } from "./fetch.ts";

/** Browsers let requests outlive their page up to 64 KiB, all of them together; some of it is left to their headers. */
const MAX_BYTES = 60 * 1024;

let bytesUnderWay = 0;

/**
 * Calls a procedure while the page may be about to go: the request is sent before anything else happens, and goes on
 * without the page where it is short enough for that.
 */
export const partingClient = createTRPCClient<AppRouter>({
  links: [
    httpLink({
      url: "/api/trpc",
      fetch: (input, init) => sendOutlivingPage(input, { ...init, signal: init?.signal ?? null, cache: "no-store" }),
    }),
  ],
});

async function sendOutlivingPage(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
  const size = typeof init.body === "string" ? new TextEncoder().encode(init.body).length : 0;
  const keepalive = bytesUnderWay + size <= MAX_BYTES;
  if (!keepalive) return apiFetch(input, init);
  bytesUnderWay += size;
  try {
    return await apiFetch(input, { ...init, keepalive });
  } finally {
    bytesUnderWay -= size;
  }
}
