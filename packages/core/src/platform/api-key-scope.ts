/** What a bearer key may be allowed to do. `hooks` is what a hooks CLI carries. */
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
