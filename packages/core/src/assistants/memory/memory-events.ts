import type { EventBus } from "../../platform/events.ts";
import type { MemoryLabel } from "./memory-changes.queries.ts";
import { toLabel } from "./memory-label.ts";

/** Announces what has happened to a memory. */
export type MemoryPublisher = (action: "create" | "edit" | "delete" | "restore", memory: MemoryLabel) => void;

export function createMemoryPublisher(events: EventBus): MemoryPublisher {
  return (action, memory) =>
    events.publish({ resource: "memory", action, resourceId: memory.id, resourceName: toLabel(memory.content) });
}
