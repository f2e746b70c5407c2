import { userProcedure } from "../procedures/procedure.ts";
import { asData, dataOf } from "../procedures/response.ts";
import type { ChangeLog } from "./change-log.ts";
import { changedResourcesSchema, changesSinceInput } from "./change.schema.ts";

const procedure = userProcedure<{ readonly changes: Pick<ChangeLog, "changedSince"> }>().tagged("Changes");

export const changeRouter = {
  since: procedure
    .rest("GET /changes", "List what has changed since an earlier request, for clients that keep a copy")
    .input(changesSinceInput)
    .output(dataOf(changedResourcesSchema))
    .query(({ ctx, input }) => asData(ctx.services.changes.changedSince(input))),
};
