import { pipeline } from "node:stream/promises";
import {
  exportWorkspace,
  OverloadedError,
  UnauthenticatedError,
  type Clock,
  type Context,
  type Services,
} from "@workspace/core";
import type { Db } from "@workspace/db";
import type { Request, RequestHandler, Response } from "express";
import { sendMethodNotAllowed } from "../rest/error-response.ts";
import { toArchive } from "./to-archive.ts";

/** Each reads everything. */
const MAX_EXPORTS = 2;

export interface ExportRouteOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly services: Services;
  /** Authenticates the request. Throws without valid credentials. */
  readonly authenticate: (req: Request, res: Response) => Promise<Context<Services>>;
}

/** `GET /api/export`: a ZIP archive of everything that people have made. 503 if the vault cannot be read. */
export function createExportRoute({ db, clock, services, authenticate }: ExportRouteOptions): RequestHandler {
  let running = 0;
  return async (req, res) => {
    const { principal } = await authenticate(req, res);
    if (principal === null) throw new UnauthenticatedError("Sign in, or send an API token.");
    if (req.method !== "GET") {
      sendMethodNotAllowed(res, ["GET"]);
      return;
    }
    if (running >= MAX_EXPORTS)
      throw new OverloadedError("Other exports are in progress. Try again when they have finished.");
    running += 1;
    try {
      const files = await exportWorkspace({ db, clock, services, userId: principal.userId });
      res.setHeader("Content-Type", "application/zip");
      res.setHeader("Content-Disposition", `attachment; filename="${exportName(clock.now())}"`);
      res.setHeader("Cache-Control", "no-store");
      await pipeline(toArchive(files), res);
    } finally {
      running -= 1;
    }
  };
}

/** The name of the file of an export. */
export function exportName(now: Date): string {
  return `workspace-${now.toISOString().slice(0, 10)}.zip`;
}
