import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import { serverStatusSchema } from "./server-status.schema.ts";
import type { ServerStatusService } from "./server-status.service.ts";

const procedure = userProcedure<{ readonly serverStatus: ServerStatusService }>().tagged("Server");

export const serverStatusRouter = {
  get: procedure
    .rest("GET /server", "What the server's processes do, and how much is stored")
    .output(dataOf(serverStatusSchema))
    .query(({ ctx }) => asData(ctx.services.serverStatus.get())),
};
