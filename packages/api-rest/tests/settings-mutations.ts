import type { Caller, Mutation } from "./mutation.ts";

const NO_MODELS = {
  endpoints: [],
  chat: null,
  agents: null,
  extraction: null,
  embeddings: null,
  prices: [],
  dailyBudgetUsd: null,
};

/** The routes by which people change how the workspace is set up. */
export function settingsMutations(call: Caller["call"]): readonly Mutation[] {
  const reminders = { minutesBefore: 10, dayTime: null };
  return [
    ["PUT /settings/models", () => call("PUT", "/api/settings/models", NO_MODELS), "usage edit"],
    ["PUT /settings/reminders", () => call("PUT", "/api/settings/reminders", reminders), "task edit"],
  ];
}
