import type { Db } from "@workspace/db";
import type { Clock } from "./clock.ts";
import type { EventBus } from "./events.ts";
import type { IdGenerator } from "./ids.ts";
import type { Logger } from "./logger.ts";

interface CommonDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly events: EventBus;
  readonly logger: Logger;
}

/** The named ones of the dependencies that most services have, such as `Deps<"db" | "clock">`. */
export type Deps<Name extends keyof CommonDeps> = Pick<CommonDeps, Name>;
