import type { Client } from "./client.ts";

/**
 * Defines a part of the client that belongs to one feature: its state and the operations on it. The returned function gets a
 * client's own instance, which is created on first use and lives as long as the client, so a feature that is never opened
 * costs neither code nor memory. `create` registers cleanup with `onForget` and `onDispose`.
 */
export function clientPart<Part extends object>(create: (client: Client) => Part): (client: Client) => Part {
  const parts = new WeakMap<Client, Part>();
  return (client) => {
    const known = parts.get(client);
    if (known !== undefined) return known;
    const part = create(client);
    parts.set(client, part);
    return part;
  };
}
