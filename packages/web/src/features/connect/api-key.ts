import type { Inputs, Outputs } from "../../api/api.ts";
import { RESOURCE_KINDS, type Scope } from "../../resources/resources.ts";

export type ApiKey = Outputs["apiKeys"]["list"]["data"][number];
export type CreatedApiKey = Outputs["apiKeys"]["create"]["data"];
export type NewApiKey = Inputs["apiKeys"]["create"];

/** Every scope with its label. */
export const SCOPE_LABELS: ReadonlyMap<Scope, string> = new Map(
  RESOURCE_KINDS.flatMap<readonly [Scope, string]>(({ scopes }) => scopes),
);
export const SCOPES: readonly Scope[] = [...SCOPE_LABELS.keys()];

/** Whether a key with these scopes has access to documents, which can be limited to a folder. */
export function hasDocuments(scopes: readonly Scope[]): boolean {
  return scopes.includes("knowledge:read") || scopes.includes("knowledge:write");
}

/** Typical sets of scopes. */
export const SCOPE_SETS = {
  everything: { label: "An assistant or a script", scopes: SCOPES.filter((scope) => scope !== "hooks") },
  reading: { label: "Reading only", scopes: SCOPES.filter((scope) => scope.endsWith(":read")) },
  tasks: { label: "A calendar program", scopes: ["tasks:read", "tasks:write"] },
  hooks: { label: "The hooks CLI", scopes: ["hooks"] },
} as const satisfies Record<string, { label: string; scopes: readonly Scope[] }>;

export type ScopeSet = keyof typeof SCOPE_SETS;
export const SCOPE_SET_NAMES: readonly ScopeSet[] = ["everything", "reading", "tasks", "hooks"];

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a key is valid, in days; null for no expiry. */
export const LIFETIMES: readonly { readonly days: number | null; readonly label: string }[] = [
  { days: 30, label: "30 days" },
  { days: 90, label: "90 days" },
  { days: 365, label: "1 year" },
  { days: null, label: "Until revoked" },
];

export function expiryAfter(days: number | null, now: Date): string | null {
  return days === null ? null : new Date(now.getTime() + days * DAY_MS).toISOString();
}

export function isExpired({ expiresAt }: Pick<ApiKey, "expiresAt">, now: Date): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
}
