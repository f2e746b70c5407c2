import { authorOf } from "../../platform/procedures/author.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import { linkViewOf } from "../task-links/link-view.ts";
import { importTasksInput, taskImportSchema } from "./task-import.schema.ts";
import type { TaskImportService } from "./task-import.service.ts";

const procedure = userProcedure<{ readonly taskImport: TaskImportService }>().tagged("Tasks");

/** Tasks from other programs. */
export const taskImportRouter = {
  import: procedure
    .rest("POST /tasks/import", "Import tasks from another program's export; a dry run unless `dryRun` is false", {
      bodyLimit: "content",
    })
    .input(importTasksInput)
    .output(dataOf(taskImportSchema))
    .v1("tasks:write")
    .mutation("writes", ({ ctx, input }) =>
      asData(ctx.services.taskImport.import(input, { author: authorOf(ctx), view: linkViewOf(ctx.principal) })),
    ),
};
