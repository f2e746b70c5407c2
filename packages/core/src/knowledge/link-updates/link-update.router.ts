import * as z from "zod";
import { authorOf } from "../../platform/procedures/author.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import { linkCountsSchema, linkUpdateSchema, renameTagInput, undoneUpdateSchema } from "./link-update.schema.ts";
import type { LinkUpdateService } from "./link-update.service.ts";

const procedure = userProcedure<{ readonly linkUpdates: LinkUpdateService }>().tagged("Documents");

export const linkUpdateRouter = {
  list: procedure
    .rest("GET /link-updates", "List the last changes of links after files were renamed or moved, newest first")
    .output(dataOf(z.array(linkUpdateSchema)))
    .query(({ ctx }) => asData(ctx.services.linkUpdates.list())),

  renameTag: procedure
    .rest(
      "POST /documents/tags/rename",
      "Rename a tag in all notes, in frontmatter and text; undone like a link update",
      {
        errorStatuses: [404, 507],
      },
    )
    .input(renameTagInput)
    .output(dataOf(linkCountsSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.linkUpdates.renameTag(input, authorOf(ctx)))),

  undo: procedure
    .rest("POST /link-updates/{id}/undo", "Move files back, and give the notes that link to them the bytes they had", {
      errorStatuses: [403, 404, 409, 507],
    })
    .input(z.object({ id: z.string() }))
    .output(dataOf(undoneUpdateSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.linkUpdates.undo(input.id, authorOf(ctx)))),
};
