import { NotFoundError, type Context, type Services } from "@workspace/core";
import type { Request, RequestHandler, Response } from "express";
import { sendMethodNotAllowed, type ErrorWriter } from "../rest/error-response.ts";
import { assertNoParameters } from "../rest/query-coercion.ts";

export interface SkillRouteOptions {
  readonly createContext: (req: Request, res: Response) => Promise<Context<Services>>;
  readonly loadSkill: () => Promise<string>;
  readonly toErrorBody: ErrorWriter;
}

/** `GET /api/v1/skill`: a file rather than JSON, so it is not a procedure. Any valid key may download it. */
export function createSkillRoute({ createContext, loadSkill, toErrorBody }: SkillRouteOptions): RequestHandler {
  return async (req, res) => {
    await createContext(req, res);
    if (req.path !== "/") throw new NotFoundError("There is nothing at this URL.");
    if (req.method !== "GET" && req.method !== "HEAD") {
      sendMethodNotAllowed(res, ["GET", "HEAD"], toErrorBody);
      return;
    }
    assertNoParameters(req.url);
    const script = await loadSkill();
    res.writeHead(200, {
      "Content-Type": "text/x-python; charset=utf-8",
      "Content-Disposition": 'attachment; filename="workspace.py"',
      "Content-Length": Buffer.byteLength(script),
      "Cache-Control": "no-store",
    });
    res.end(script);
  };
}
