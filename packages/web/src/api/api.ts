import { createTRPCClient, httpBatchLink, httpLink, type TRPCClient } from "@trpc/client";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@workspace/core";
import { yieldToBrowser } from "../browser/yield-to-browser.ts";
import type { ApiFetch } from "./fetch.ts";

export type Api = TRPCClient<AppRouter>;
export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

const ENDPOINT = "/api/trpc";
const LONG_BODY = 256 * 1024;

/** Calls procedures; calls made in the same frame are sent as one batch. */
export function createApi(fetch: ApiFetch): Api {
  return createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: ENDPOINT,
        maxURLLength: 4_000,
        maxItems: 40,
        fetch: async (input, init) => {
          // Composing a long body and converting it to bytes must not block the page for the sum of both times.
          if (typeof init?.body === "string" && init.body.length > LONG_BODY) await yieldToBrowser();
          // Responses are cached by React Query only: a revealed secret must not stay in the browser's HTTP cache.
          return fetch(input, { ...init, signal: init?.signal ?? null, cache: "no-store" });
        },
      }),
    ],
  });
}

/** Sends every call immediately, in a request of its own. */
export function createUnbatchedApi(fetch: ApiFetch): Api {
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: ENDPOINT,
        fetch: (input, init) => fetch(input, { ...init, signal: init?.signal ?? null, cache: "no-store" }),
      }),
    ],
  });
}
