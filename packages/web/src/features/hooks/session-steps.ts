import { useQueries } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import type { Outputs } from "../../api/api.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import type { SessionPrompt } from "./session-outline.ts";

export type SessionStep = Outputs["session"]["steps"]["data"]["steps"][number];

export const STEPS_PER_PAGE = 100;

/** A part of the steps of a prompt. */
export interface StepPage {
  readonly promptId: string;
  /** From 0. */
  readonly page: number;
}

/** The steps of prompts, as far as they are loaded. */
export interface LoadedSteps {
  /** Undefined if the page is not loaded. */
  pageOf(promptId: string, page: number): readonly SessionStep[] | undefined;
  /** Undefined if no page of the prompt is loaded. */
  totalOf(promptId: string): number | undefined;
  /** Why some could not be loaded; null if all could. */
  readonly error: unknown;
  retry(): void;
}

/** Loads pages of steps. Those of a prompt that goes on are loaded again when it has. */
export function useSessionSteps(
  sessionId: string,
  prompts: readonly SessionPrompt[],
  wanted: readonly StepPage[],
): LoadedSteps {
  const client = useClient();
  const latest = useRefreshed(client, sessionId, prompts);
  const byId = new Map(prompts.map((prompt) => [prompt.id, prompt]));
  return useQueries({
    queries: wanted.flatMap(({ promptId, page }) => {
      const prompt = byId.get(promptId);
      if (prompt === undefined) return [];
      return [
        {
          queryKey: ["session-steps", sessionId, promptId, page],
          queryFn: async ({ signal }: { signal: AbortSignal }) => ({
            promptId,
            page,
            // Its end may have become known since.
            ...(await loadSteps(client, sessionId, latest.current.get(promptId) ?? prompt, page, signal)),
          }),
          staleTime: Infinity,
        },
      ];
    }),
    combine: useCallback((results: readonly PageResult[]): LoadedSteps => {
      const loaded = results.flatMap(({ data }) => data ?? []);
      const pages = new Map(loaded.map(({ promptId, page, steps }) => [`${promptId} ${page}`, steps]));
      const totals = new Map(loaded.map(({ promptId, total }) => [promptId, total]));
      return {
        pageOf: (promptId, page) => pages.get(`${promptId} ${page}`),
        totalOf: (promptId) => totals.get(promptId),
        error: results.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
        retry: () => {
          for (const { error, refetch } of results) if (error !== null) void refetch();
        },
      };
    }, []),
  });
}

interface PageResult {
  readonly data: (StepPage & { readonly total: number; readonly steps: readonly SessionStep[] }) | undefined;
  readonly error: unknown;
  readonly refetch: () => Promise<unknown>;
}

async function loadSteps(
  client: Client,
  sessionId: string,
  { turns, since, until }: SessionPrompt,
  page: number,
  signal: AbortSignal,
) {
  const range = {
    ...(turns !== null && { firstTurn: turns.first, lastTurn: turns.last }),
    ...(since !== null && { since }),
    ...(until !== null && { until }),
  };
  const paging = { from: page * STEPS_PER_PAGE + 1, limit: STEPS_PER_PAGE };
  return (await client.api.session.steps.query({ sessionId, ...range, ...paging }, { signal })).data;
}

/** Has the steps of a prompt loaded again when the outline says that there are others. Returns the prompts as they are now. */
function useRefreshed(client: Client, sessionId: string, prompts: readonly SessionPrompt[]) {
  const latest = useRef<ReadonlyMap<string, SessionPrompt>>(new Map());
  useEffect(() => {
    const known = latest.current;
    latest.current = new Map(prompts.map((prompt) => [prompt.id, prompt]));
    for (const prompt of prompts) {
      const before = known.get(prompt.id);
      if (before === undefined || stampOf(before) === stampOf(prompt)) continue;
      void client.queries.invalidateQueries({ queryKey: ["session-steps", sessionId, prompt.id] });
    }
  }, [client, sessionId, prompts]);
  return latest;
}

/** Differs if the steps of a prompt do. */
function stampOf({ until, lastAt, calls, failed, blocked, asked, turns }: SessionPrompt): string {
  return JSON.stringify([until, lastAt, calls, failed, blocked, asked, turns]);
}
