import * as z from "zod";
import { signedInProcedure, userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import {
  backupByIdInput,
  backupRunSchema,
  backupSettingsSchema,
  backupStatusSchema,
  listBackupRunsInput,
  MAX_LISTED_BACKUPS,
  setBackupSettingsInput,
  storedBackupSchema,
} from "./backup.schema.ts";
import type { BackupService } from "./backup.service.ts";
import type { BackupSettingsService } from "./backup-settings.service.ts";

interface BackupServices {
  readonly backups: BackupService;
  readonly backupSettings: BackupSettingsService;
}

const procedure = userProcedure<BackupServices>().tagged("Backups");

/** Backups by schedule and by hand. No tools: a model need not fill disks. */
export const backupRouter = {
  settings: procedure
    .rest("GET /settings/backups", "Get where and when backups are made, and how many are kept")
    .output(dataOf(backupSettingsSchema))
    .query(({ ctx }) => asData(ctx.services.backupSettings.get())),

  setSettings: signedInProcedure<BackupServices>()
    .tagged("Backups")
    .rest("PUT /settings/backups", "Replace where and when backups are made, and how many are kept", {
      errorStatuses: [403, 409, 412],
    })
    .input(setBackupSettingsInput)
    .output(dataOf(backupSettingsSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.backupSettings.set(input, ctx.principal.userId))),

  status: procedure
    .rest("GET /backups/status", "Get what was done last with backups, what is next, and what is wrong")
    .output(dataOf(backupStatusSchema))
    .query(({ ctx }) => asData(ctx.services.backups.status())),

  list: procedure
    .rest("GET /backups", `List the backups that there are, newest first, at most ${MAX_LISTED_BACKUPS}`, {
      errorStatuses: [409, 503],
    })
    .output(dataOf(z.array(storedBackupSchema)))
    .query(async ({ ctx }) => ({ data: [...(await ctx.services.backups.list())] })),

  runs: procedure
    .rest("GET /backups/runs", "List what was done with backups, newest first")
    .input(listBackupRunsInput)
    .output(pageOf(backupRunSchema))
    .query(({ ctx, input }) => asPage(ctx.services.backups.runs(input))),

  start: procedure
    .rest("POST /backups", "Begin to make a backup now", { errorStatuses: [409] })
    .output(dataOf(backupRunSchema))
    .mutation("writes", ({ ctx }) => asData(ctx.services.backups.start())),

  verify: procedure
    .rest("POST /backups/{id}/verify", "Begin to read a backup back, and to compare it", {
      errorStatuses: [404, 409, 503],
    })
    .input(backupByIdInput)
    .output(dataOf(backupRunSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.backups.verify(input.id))),

  drill: procedure
    .rest("POST /backups/drill", "Begin to restore the newest backup into a temporary place", { errorStatuses: [409] })
    .output(dataOf(backupRunSchema))
    .mutation("writes", ({ ctx }) => asData(ctx.services.backups.drill())),
};
