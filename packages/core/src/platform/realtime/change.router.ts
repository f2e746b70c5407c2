import { keyProcedure, userProcedure } from "../procedures/procedure.ts";
import { asData, dataOf } from "../procedures/response.ts";
import type { ChangeLog } from "./change-log.ts";
import { READ_SCOPES } from "../resources.ts";
import type { ListedChangesService } from "./listed-changes.ts";
import { changedResourcesSchema, changesSinceInput, listChangesInput, listedChangesSchema } from "./change.schema.ts";

const procedure = userProcedure<{ readonly changes: Pick<ChangeLog, "changedSince"> }>().tagged("Changes");

export const changeRouter = {
  since: procedure
    .rest("GET /changes", "List what has changed since an earlier request, for clients that keep a copy")
    .input(changesSinceInput)
    .output(dataOf(changedResourcesSchema))
    .query(({ ctx, input }) => asData(ctx.services.changes.changedSince(input))),
  list: keyProcedure<{ readonly listedChanges: ListedChangesService }>("tasks:read")
    .tagged("Changes")
    .rest("GET /changes", "List the changes since a position of what the key may read", { errorStatuses: [410] })
    .input(listChangesInput)
    .output(listedChangesSchema)
    .v1([...new Set(Object.values(READ_SCOPES))])
    .tool(
      "List what has changed since a position: tasks, notes, memories and agents, whoever changed them. Without `after`, returns only the present position.",
    )
    .query(({ ctx, input }) => ctx.services.listedChanges.list(input, ctx.principal)),
};
