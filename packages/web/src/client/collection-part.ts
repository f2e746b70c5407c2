import { Collection, type Row } from "../api/collection.ts";
import { clientPart } from "./client-part.ts";
import type { Client } from "./client.ts";

/**
 * Defines the rows of one kind that a client keeps until the session ends. `isSame` compares two versions of a row;
 * `connect` is called once, when a client's rows are first used.
 */
export function collectionPart<R extends Row>(
  isSame: (a: R, b: R) => boolean,
  connect?: (client: Client) => void,
): (client: Client) => Collection<R> {
  return clientPart((client) => {
    const collection = new Collection<R>(isSame);
    client.onForget(() => collection.clear());
    connect?.(client);
    return collection;
  });
}
