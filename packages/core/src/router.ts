import { router } from "./platform/trpc.ts";
import { projectRouter } from "./projects/project.router.ts";
import { taskRouter } from "./tasks/task.router.ts";

/** Every procedure of the workspace, for `/api` and for typed internal clients. Composition only. */
export const appRouter = router({
  tasks: taskRouter,
  projects: projectRouter,
});

export type AppRouter = typeof appRouter;
