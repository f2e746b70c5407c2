import { signedInProcedure, userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import {
  retentionPreviewSchema,
  retentionSettingsSchema,
  retentionStatusSchema,
  setRetentionSettingsInput,
} from "./retention.schema.ts";
import type { RetentionService } from "./retention.service.ts";
import type { RetentionSettingsService } from "./retention-settings.service.ts";

interface RetentionServices {
  readonly retention: RetentionService;
  readonly retentionSettings: RetentionSettingsService;
}

const procedure = userProcedure<RetentionServices>().tagged("Server");
const signedIn = signedInProcedure<RetentionServices>().tagged("Server");

/** For how long things are kept. No tools: a model must not decide what is forgotten. */
export const retentionRouter = {
  settings: procedure
    .rest("GET /settings/retention", "Get for how long each kind of data is kept")
    .output(dataOf(retentionSettingsSchema))
    .query(({ ctx }) => asData(ctx.services.retentionSettings.get())),

  setSettings: signedIn
    .rest("PUT /settings/retention", "Replace for how long each kind of data is kept", { errorStatuses: [403, 412] })
    .input(setRetentionSettingsInput)
    .output(dataOf(retentionSettingsSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.retentionSettings.set(input))),

  status: procedure
    .rest("GET /retention", "Get when old data was removed last, and what")
    .output(dataOf(retentionStatusSchema))
    .query(({ ctx }) => asData(ctx.services.retention.status())),

  preview: procedure
    .rest("GET /retention/preview", "Get how much there is of each kind of data, and what would be removed now")
    .output(dataOf(retentionPreviewSchema))
    .query(({ ctx }) => asData(ctx.services.retention.preview())),

  start: signedIn
    .rest("POST /retention", "Begin to remove old data now", { errorStatuses: [403, 409] })
    .output(dataOf(retentionStatusSchema))
    .mutation("destroys", ({ ctx }) => asData(ctx.services.retention.start())),
};
