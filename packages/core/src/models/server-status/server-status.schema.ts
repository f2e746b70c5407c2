import * as z from "zod";
import { timestamp } from "../../platform/procedures/response.ts";

export const MAX_TABLES = 10;

const bytes = z.number().int().meta({ description: "In bytes" });

export const serverStatusSchema = z
  .object({
    process: z.object({
      nodeVersion: z.string(),
      platform: z.string().meta({ description: "Operating system and processor" }),
      startedAt: timestamp,
      residentBytes: bytes.meta({ description: "The memory of this process, in bytes" }),
      timeZone: z.string(),
    }),
    processes: z
      .array(
        z.object({
          id: z.string(),
          startedAt: timestamp,
          isThis: z.boolean().meta({ description: "Whether it is the one that answers" }),
          isAlive: z.boolean().meta({ description: "Whether it has renewed its lease in time" }),
          leads: z
            .array(z.enum(["mirror", "memory-embeddings"]))
            .meta({ description: "What it does for all: following the vault, making vectors of memories" }),
        }),
      )
      .meta({ description: "The server's processes, those that have run longest first" }),
    database: z.object({
      version: z.string(),
      sizeBytes: bytes,
      tables: z
        .array(z.object({ name: z.string(), sizeBytes: bytes, rows: z.number().int().meta({ description: "About" }) }))
        .meta({ description: `The largest ${MAX_TABLES}, with their indexes` }),
    }),
    vault: z.object({
      path: z.string(),
      documents: z.number().int(),
      sizeBytes: bytes,
      freeBytes: bytes.nullable().meta({ description: "On its disk, in bytes; null if the folder cannot be reached" }),
    }),
    data: z.object({
      path: z.string().meta({ description: "The folder of the server's own data" }),
      freeBytes: bytes.nullable(),
    }),
  })
  .meta({ id: "ServerStatus" });
export type ServerStatus = z.infer<typeof serverStatusSchema>;
