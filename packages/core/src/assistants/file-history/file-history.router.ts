import { userOrKeyProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import { whyInput, whySchema } from "./file-history.schema.ts";
import type { FileHistoryService } from "./file-history.service.ts";

interface FileHistoryServices {
  readonly fileHistory: FileHistoryService;
}

export const fileHistoryRouter = {
  why: userOrKeyProcedure<FileHistoryServices>("hooks")
    .tagged("Hooks")
    .rest(
      "POST /hooks/why",
      "Find what shaped lines of a file: sessions, the most decisive first, prompts and memories",
    )
    .input(whyInput)
    .output(dataOf(whySchema))
    .v1("memory:read", { path: "/why" })
    .tool(
      "Find out why lines of a file are as they are: the sessions that wrote them, the most decisive first, what these had been asked, and what was learnt. Pass the text of the lines as it is now.",
      { name: "why", allows: "Find which sessions wrote lines of files, and what for." },
    )
    .query(({ ctx, input }) => asData(ctx.services.fileHistory.why(input))),
};
