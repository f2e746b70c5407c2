import * as z from "zod";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import { addFavouriteInput, shelfItemInput, shelfSchema } from "./shelf.schema.ts";
import type { ShelfService } from "./shelf.service.ts";

const procedure = userProcedure<{ readonly shelf: ShelfService }>().tagged("Shelf");

/** What a person keeps at hand and has opened last. */
export const shelfRouter = {
  get: procedure
    .rest("GET /shelf", "List the favourites of the person, and what they have opened last")
    .output(dataOf(shelfSchema))
    .query(({ ctx }) => asData(ctx.services.shelf.get(ctx.principal.userId))),

  open: procedure
    .rest("POST /shelf/opened", "Record that the person has opened something")
    .input(shelfItemInput)
    .output(dataOf(z.object({ opened: z.boolean().meta({ description: "False if there is no such thing" }) })))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.shelf.open(input, ctx.principal.userId))),

  addFavourite: procedure
    .rest("PUT /shelf/favourites", "Make something a favourite, or move it among them", { errorStatuses: [404] })
    .input(addFavouriteInput)
    .output(dataOf(shelfSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.shelf.addFavourite(input, ctx.principal.userId))),

  removeFavourite: procedure
    .rest("DELETE /shelf/favourites/{kind}/{id}", "Remove something from the favourites")
    .input(shelfItemInput)
    .output(dataOf(shelfSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.shelf.removeFavourite(input, ctx.principal.userId))),
};
