/** The kinds of resources whose changes are published, each with the permissions for it that a bearer key can have. */
const RESOURCES = [
  { kind: "agent", scopes: ["agents:read", "agents:ask"] },
  // For projects, too.
  { kind: "task", scopes: ["tasks:read", "tasks:write"] },
  { kind: "project", scopes: [] },
  { kind: "view", scopes: [] },
  { kind: "memory", scopes: ["memory:read", "memory:write"] },
  { kind: "document", scopes: ["knowledge:read", "knowledge:write"] },
  // What the hooks CLI needs.
  { kind: "hook", scopes: ["hooks"] },
  { kind: "approval", scopes: [] },
  { kind: "conversation", scopes: [] },
  { kind: "secret", scopes: [] },
  { kind: "usage", scopes: [] },
  // For what is sent to programs.
  { kind: "api_key", scopes: ["webhooks"] },
] as const;

export type ResourceKind = (typeof RESOURCES)[number]["kind"];
export const RESOURCE_KINDS: readonly ResourceKind[] = RESOURCES.map(({ kind }) => kind);

export type ApiKeyScope = (typeof RESOURCES)[number]["scopes"][number];
export const API_KEY_SCOPES: readonly ApiKeyScope[] = RESOURCES.flatMap<ApiKeyScope>(({ scopes }) => scopes);

/** The scopes with which keys read resources, by kind; keys know nothing of other kinds. */
export const READ_SCOPES: Readonly<Partial<Record<ResourceKind, ApiKeyScope>>> = {
  task: "tasks:read",
  project: "tasks:read",
  view: "tasks:read",
  document: "knowledge:read",
  memory: "memory:read",
  agent: "agents:read",
};
