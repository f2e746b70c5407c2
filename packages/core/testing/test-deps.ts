import type { Db } from "@workspace/db";
import type { Clock } from "../src/platform/clock.ts";
import { NO_QUERY_EMBEDDINGS, type QueryEmbeddings } from "../src/assistants/memory/query-embedding.ts";
import { createEventBus, type Change, type EventBus } from "../src/platform/events.ts";
import { uuidV7, type IdGenerator } from "../src/platform/ids.ts";
import { silentLogger, type Logger } from "../src/platform/logger.ts";
import type { Redactor } from "../src/platform/redactor.ts";

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  set(instant: Date | string): void;
}

/** The dependencies of services under test. */
export interface TestDeps {
  readonly db: Db;
  readonly clock: TestClock;
  readonly ids: IdGenerator;
  readonly events: EventBus;
  /** The changes published so far. */
  readonly changes: Change[];
  readonly logger: Logger;
  /** Knows no secrets. */
  readonly redactor: Redactor;
  /** Knows no vectors. */
  readonly embeddings: QueryEmbeddings;
}

export function createTestDeps(db: Db, now: Date | string = new Date()): TestDeps {
  let instant = new Date(now);
  const changes: Change[] = [];
  const events = createEventBus((error) => {
    throw error;
  });
  events.subscribe((change) => void changes.push(change));
  return {
    db,
    clock: {
      now: () => new Date(instant),
      set: (next) => {
        instant = new Date(next);
      },
    },
    ids: uuidV7,
    events,
    changes,
    logger: silentLogger,
    redactor: createTestRedactor(),
    embeddings: NO_QUERY_EMBEDDINGS,
  };
}

/** Redacts one value, if given. */
export function createTestRedactor(secret?: string): Redactor {
  const redact = (text: string) => (secret === undefined ? text : text.replaceAll(secret, "[secret]"));
  return {
    redact,
    redactObject: (object) => JSON.parse(redact(JSON.stringify(object))),
    settledLength: (text) => text.length,
  };
}
