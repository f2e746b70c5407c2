/** The permissions that a bearer key can have. `hooks` is the one that the hooks CLI needs. */
export const API_KEY_SCOPES = [
  "agents:read",
  "agents:ask",
  "tasks:read",
  "tasks:write",
  "memory:read",
  "memory:write",
  "knowledge:read",
  "hooks",
] as const;

export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];
