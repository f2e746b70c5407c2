import { signedInProcedure, userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import {
  localUndoSchema,
  undoneTurnSchema,
  undoneTurnsInput,
  undoneTurnsSchema,
  undoTurnInput,
} from "./local-undo.schema.ts";
import type { LocalUndoService } from "./local-undo.service.ts";

interface UndoServices {
  readonly localUndo: LocalUndoService;
}

export const localUndoRouter = {
  status: userProcedure<UndoServices>()
    .tagged("Hooks")
    .rest("GET /hooks/undo", "Tell whether turns can be undone by the server, since their projects are on its machine")
    .output(dataOf(localUndoSchema))
    .query(async ({ ctx }) => ({ data: { isLocal: await ctx.services.localUndo.isLocal() } })),

  undone: signedInProcedure<UndoServices>()
    .tagged("Hooks")
    .rest(
      "GET /hooks/sessions/{sessionId}/undo",
      "List the turns of a session that were undone on the server's machine",
      {
        errorStatuses: [403, 404, 409],
      },
    )
    .input(undoneTurnsInput)
    .output(dataOf(undoneTurnsSchema))
    .query(({ ctx, input }) => asData(ctx.services.localUndo.listUndone(input))),

  /** Only for people: whoever has a key must not take back what others did. */
  run: signedInProcedure<UndoServices>()
    .tagged("Hooks")
    .rest(
      "POST /hooks/sessions/{sessionId}/undo",
      "Undo a turn of a session in a project on the machine of the server",
      {
        errorStatuses: [403, 404, 409],
      },
    )
    .input(undoTurnInput)
    .output(dataOf(undoneTurnSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.localUndo.undo(input))),
};
