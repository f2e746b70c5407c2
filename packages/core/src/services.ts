import { createProjectService, type ProjectService } from "./projects/project.service.ts";
import { createTaskService, type TaskService } from "./tasks/task.service.ts";
import type { Db } from "@workspace/db";
import type { Clock } from "./platform/clock.ts";
import type { EventBus } from "./platform/events.ts";
import type { IdGenerator } from "./platform/ids.ts";

/** What the domains are built from. Everything that differs between a server, a command and a test comes in here. */
export interface ServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly events: EventBus;
}

export interface Services {
  readonly tasks: TaskService;
  readonly projects: ProjectService;
}

/** Builds every domain, each with just what it needs: the one place where domains meet. */
export function createServices(deps: ServiceDeps): Services {
  return {
    tasks: createTaskService(deps),
    projects: createProjectService(deps),
  };
}
