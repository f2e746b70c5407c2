import type { ApiKeyScope, NamedCapability, Services } from "@workspace/core";

/** The scopes by which a key gets any tool. */
export function collectToolScopes(capabilities: readonly NamedCapability<Services>[]): ApiKeyScope[] {
  const scopes = capabilities.flatMap(({ v1, toolDescription }) =>
    v1 === undefined || toolDescription === undefined ? [] : v1.access.key,
  );
  return [...new Set(scopes)];
}
