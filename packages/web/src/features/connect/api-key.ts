import type { Inputs, Outputs } from "../../api/trpc.ts";

export type ApiKey = Outputs["apiKeys"]["list"]["data"][number];
export type CreatedApiKey = Outputs["apiKeys"]["create"]["data"];
export type NewApiKey = Inputs["apiKeys"]["create"];
export type Scope = ApiKey["scopes"][number];

export const SCOPES: readonly Scope[] = [
  "tasks:read",
  "tasks:write",
  "knowledge:read",
  "memory:read",
  "memory:write",
  "agents:read",
  "agents:ask",
  "hooks",
];

export const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  "tasks:read": "Read tasks and projects",
  "tasks:write": "Change tasks and projects",
  "knowledge:read": "Read documents and files",
  "memory:read": "Search memories",
  "memory:write": "Store memories",
  "agents:read": "See agents",
  "agents:ask": "Ask agents, which spends credits",
  hooks: "Hooks: record events, use memory",
};

/** What a key is usually made for. */
export const SCOPE_SETS = {
  everything: { label: "An assistant or a script", scopes: SCOPES.filter((scope) => scope !== "hooks") },
  reading: { label: "Reading only", scopes: SCOPES.filter((scope) => scope.endsWith(":read")) },
  hooks: { label: "The hooks CLI", scopes: ["hooks"] },
} as const satisfies Record<string, { label: string; scopes: readonly Scope[] }>;

export type ScopeSet = keyof typeof SCOPE_SETS;
export const SCOPE_SET_NAMES: readonly ScopeSet[] = ["everything", "reading", "hooks"];

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a key is good for, in days; null for good. */
export const LIFETIMES: readonly { readonly days: number | null; readonly label: string }[] = [
  { days: 30, label: "30 days" },
  { days: 90, label: "90 days" },
  { days: 365, label: "A year" },
  { days: null, label: "Until it is revoked" },
];

export function expiryAfter(days: number | null, now: Date): string | null {
  return days === null ? null : new Date(now.getTime() + days * DAY_MS).toISOString();
}

export function isExpired({ expiresAt }: Pick<ApiKey, "expiresAt">, now: Date): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
}
