import type { ResourceKind } from "./resources.ts";

export const ACTIONS = [
  "create",
  "edit",
  "delete",
  "restore",
  "run",
  "cancel",
  "complete",
  "fail",
  // Of a task: somebody has just been reminded of it.
  "remind",
] as const;

/** A committed change: services publish it after their transaction has committed, never before. */
export interface Change {
  readonly resource: ResourceKind;
  readonly action: (typeof ACTIONS)[number];
  readonly resourceId: string;
  /** The display name; never the value of a secret. */
  readonly resourceName: string | null;
}

export interface EventBus {
  publish(change: Change): void;
  /** Returns the function that ends the subscription. A handler that throws affects neither the publisher nor other handlers. */
  subscribe(handler: (change: Change) => void): () => void;
}

/** A synchronous in-process bus. `onHandlerError` is called with whatever a handler throws. */
export function createEventBus(onHandlerError: (error: unknown) => void): EventBus {
  const handlers = new Set<(change: Change) => void>();
  return {
    publish(change) {
      for (const handler of handlers) {
        try {
          handler(change);
        } catch (error) {
          onHandlerError(error);
        }
      }
    },
    subscribe(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
  };
}
