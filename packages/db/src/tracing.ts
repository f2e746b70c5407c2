import { tracingChannel } from "node:diagnostics_channel";

/** Values of attributes must be neither secret nor content: names of the program, ids, counts, models. */
export type AttributeValue = string | number | readonly string[];

/** A piece of work of which a trace has a span. */
export interface TracedWork {
  readonly name: string;
  /** `client` if it waits for another system. */
  readonly kind: "client" | "internal";
  /** Whether it begins a trace if it is not part of one. */
  readonly beginsTrace: boolean;
  /** By the names of OpenTelemetry's conventions. Those that are known at the end are added then; `error.type` marks a failure. */
  readonly attributes: Record<string, AttributeValue>;
}

/** The name of the channel on which work is announced. */
export const TRACED_WORK_CHANNEL = "workspace:work";

const channel = tracingChannel<unknown, TracedWork & { error?: unknown }>(TRACED_WORK_CHANNEL);

/**
 * Does `work` and announces its start and end on a channel of Node's. While nobody listens, that is one comparison. `work` may add
 * attributes; `describe` is called only if somebody listens.
 */
export function traced<Value>(
  describe: () => TracedWork,
  work: (attributes: TracedWork["attributes"] | null) => Promise<Value>,
): Promise<Value> {
  if (!channel.start.hasSubscribers) return work(null);
  const described = describe();
  // Asynchronous in any case, so that the end is announced after an error too.
  return channel.tracePromise(async () => work(described.attributes), described);
}
