import {
  authorOf,
  toInvalidInput,
  UnauthenticatedError,
  type Author,
  type Context,
  type Services,
  type VaultService,
} from "@workspace/core";
import type { Request, RequestHandler, Response } from "express";
import * as z from "zod";
import { isCreateOnly, readIfMatch, toFailedCondition } from "../rest/entity-tag.ts";
import { sendJson, sendMethodNotAllowed } from "../rest/error-response.ts";
import { splitUrl } from "../rest/percent-encoding.ts";
import { planQuery, readQuery, type QueryPlan } from "../rest/query-coercion.ts";
import { bodyOf } from "./request-body.ts";
import { sendFile } from "./send-file.ts";

export interface RawFileRoutesOptions {
  readonly vault: Pick<VaultService, "openStream" | "writeStream">;
  /** Authenticates the request. Throws without valid credentials. */
  readonly authenticate: (req: Request, res: Response) => Promise<Context<Services>>;
}

const ALLOWED_METHODS = ["GET", "HEAD", "PUT"];
const uploadQuery = z.object({ path: z.string().min(1, "is required") });
const downloadQuery = uploadQuery.extend({
  download: z.boolean().default(false),
  /** Ignored: pages put the content's hash into the URL, so that no cache shows an old file. */
  v: z.string().max(200, "must be at most 200 characters").optional(),
});
const uploadPlan = planQuery(uploadQuery);
const downloadPlan = planQuery(downloadQuery);

/**
 * `/api/fs/raw?path=`: any file, byte for byte. `GET` streams it, or a range of it; `PUT` streams one to the vault, if the
 * conditions of `If-Match` and `If-None-Match: *` are met.
 */
export function createRawFileRoutes({ vault, authenticate }: RawFileRoutesOptions): RequestHandler {
  const handle = async (req: Request, res: Response): Promise<void> => {
    const { principal, origin } = await authenticate(req, res);
    switch (req.method) {
      case "GET":
      case "HEAD": {
        const { path, download } = parseQuery(req, downloadQuery, downloadPlan);
        await sendFile(req, res, await vault.openStream(path), { isDownload: download });
        return;
      }
      case "PUT":
        if (principal === null) throw new UnauthenticatedError("Sign in, or send an API token.");
        await receive(req, res, authorOf({ principal, origin }));
        return;
      default:
        sendMethodNotAllowed(res, ALLOWED_METHODS);
    }
  };

  async function receive(req: Request, res: Response, author: Author): Promise<void> {
    const { path } = parseQuery(req, uploadQuery, uploadPlan);
    const createOnly = isCreateOnly(req.headers["if-none-match"]);
    const expectedHash = readIfMatch(req.headers["if-match"]);
    const written = vault.writeStream(path, {
      content: bodyOf(req),
      creatorId: author.userId,
      author,
      createOnly,
      expectedHash,
    });
    const { created, contentHash, modifiedAt } = await written.catch((error: unknown) => {
      throw createOnly ? toFailedCondition(error) : error;
    });
    res.setHeader("ETag", `"${contentHash}"`);
    sendJson(res, 200, { data: { path, created, contentHash, modifiedAt: modifiedAt.toISOString() } });
  }

  return (req, res, next) => {
    handle(req, res).catch((error: unknown) => {
      // The rest of a refused body is not read, so the connection cannot be reused.
      if (req.method === "PUT" && !req.complete && !res.headersSent) res.setHeader("Connection", "close");
      next(error);
    });
  };
}

function parseQuery<Query>(req: Request, schema: z.ZodType<Query>, plan: QueryPlan): Query {
  const [, queryString] = splitUrl(req.url);
  const parsed = schema.safeParse(readQuery(queryString, plan));
  if (!parsed.success) throw toInvalidInput(parsed.error);
  return parsed.data;
}
