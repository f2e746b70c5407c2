import { importNotesQuery, noteImportSchema } from "@workspace/core";
import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";

const security = [{ session: [] }, { apiToken: [] }];
const tags = ["File system"];
const bytes = { content: { "application/octet-stream": { schema: z.string().meta({ format: "binary" }) } } };
const headers = z.object({ ETag: z.string().meta({ description: "The entity tag of the file" }) });
const path = z.string().meta({ description: "Relative to the vault's root, with or without a leading slash" });
const failure = (description: string) => ({
  description,
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
});
const written = z.object({
  data: z.object({
    path: z.string(),
    created: z.boolean(),
    contentHash: z.string(),
    modifiedAt: z.string().meta({ format: "date-time" }),
  }),
});

/** The routes that stream files; they are not procedures. */
export const rawFilePaths: ZodOpenApiPathsObject = {
  "/notes/import": {
    post: {
      operationId: "notes-import",
      summary: "Import a ZIP archive with the notes of another program; a dry run unless `dryRun` is false",
      description:
        "Nothing that exists is changed, and importing again creates nothing twice. With `Accept: application/x-ndjson`, the response consists of lines: `progress` while it is being imported, then `data` or `error`. At most 2 GiB, 8 GiB unpacked, and 50,000 files.",
      tags: ["Notes"],
      security,
      requestParams: { query: importNotesQuery },
      requestBody: {
        required: true,
        content: { "application/zip": { schema: z.string().meta({ format: "binary" }) } },
      },
      responses: {
        200: {
          description: "What was imported, or would be",
          content: { "application/json": { schema: z.object({ data: noteImportSchema }) } },
        },
        400: failure("Bad Request"),
        401: failure("Unauthorized"),
        403: failure("Forbidden"),
        413: failure("Content Too Large"),
        500: failure("Internal Server Error"),
        503: failure("Service Unavailable"),
        507: failure("Insufficient Storage"),
      },
    },
  },
  "/export": {
    get: {
      operationId: "export",
      summary: "Download a ZIP archive of everything that people have made",
      description:
        "`vault/` has the notes and other files as they are; `tasks.json`, `projects.json`, `memories.json`, `agents.json` and `conversations.json` are arrays with one item in each line. What was deleted, earlier versions, secrets and keys are not in it.",
      tags: ["Export"],
      security,
      responses: {
        200: {
          description: "The archive",
          content: { "application/zip": { schema: z.string().meta({ format: "binary" }) } },
        },
        401: failure("Unauthorized"),
        500: failure("Internal Server Error"),
        503: failure("Service Unavailable"),
      },
    },
  },
  "/fs/raw": {
    get: {
      operationId: "fs-raw-read",
      summary: "Read any file, or a range of it, byte for byte",
      tags,
      security,
      requestParams: {
        query: z.object({
          path,
          download: z
            .enum(["true", "false"])
            .optional()
            .meta({ description: "Whether to download the file even if a browser could display it" }),
          v: z.string().max(200).optional().meta({ description: "Ignored; gives a changed file a different URL" }),
        }),
        header: z.object({
          Range: z.string().optional(),
          "If-Range": z.string().optional(),
          "If-Match": z.string().optional(),
          "If-None-Match": z.string().optional(),
          "If-Modified-Since": z.string().optional(),
          "If-Unmodified-Since": z.string().optional(),
        }),
      },
      responses: {
        200: { description: "The file", headers, ...bytes },
        206: { description: "A part of the file", headers, ...bytes },
        304: { description: "The client's copy is current", headers },
        400: failure("Bad Request"),
        401: failure("Unauthorized"),
        403: failure("Forbidden"),
        404: failure("Not Found"),
        412: failure("Precondition Failed"),
        416: failure("The range is beyond the end of the file"),
        500: failure("Internal Server Error"),
        503: failure("Service Unavailable"),
      },
    },
    put: {
      operationId: "fs-raw-write",
      summary: "Write any file, byte for byte; missing directories are created",
      tags,
      security,
      requestParams: {
        query: z.object({ path }),
        header: z.object({
          "If-Match": z.string().optional(),
          "If-None-Match": z.string().optional().meta({ description: "`*`: only create, never overwrite" }),
        }),
      },
      requestBody: { required: true, ...bytes },
      responses: {
        200: { description: "The file was written", headers, content: { "application/json": { schema: written } } },
        400: failure("Bad Request"),
        401: failure("Unauthorized"),
        403: failure("Forbidden"),
        409: failure("Conflict"),
        412: failure("Precondition Failed"),
        500: failure("Internal Server Error"),
        503: failure("Service Unavailable"),
        507: failure("Insufficient Storage"),
      },
    },
  },
};
