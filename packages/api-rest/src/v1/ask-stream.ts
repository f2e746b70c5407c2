import { appRouter, toPublicError, type Context, type Services } from "@workspace/core";
import type { Request, RequestHandler, Response } from "express";
import { sendError, type ErrorWriter } from "../rest/error-response.ts";
import type { JsonBodyReader } from "../rest/json-body.ts";
import { assertNoParameters } from "../rest/query-coercion.ts";

/** A comment is sent this often, so that no proxy takes a pause in the answer for a dead connection. */
const KEEP_ALIVE_EVERY_MS = 15_000;

export interface AskStreamOptions {
  readonly createContext: (req: Request, res: Response) => Promise<Context<Services>>;
  readonly readBody: JsonBodyReader;
  readonly reportError: (error: unknown, req: Request) => void;
  readonly toErrorBody: ErrorWriter;
}

/**
 * `POST /api/v1/agents/ask` for callers that accept `text/event-stream`: the same procedure, with its answer streamed as it is
 * generated. Events are `text` with `{delta}`, then `done` with the body of the plain response, or `error` with `{status,
 * message}`. Requests rejected before the agent is asked get a plain response. A caller that disconnects stops nothing.
 */
export function createAskStream(options: AskStreamOptions): RequestHandler {
  const { createContext, readBody, reportError, toErrorBody } = options;
  const { call: ask } = appRouter.agents.ask.capability.api;

  async function handle(req: Request, res: Response): Promise<void> {
    const events = createEventStream(res);
    try {
      const ctx = await createContext(req, res);
      assertNoParameters(req.url);
      const body = (await readBody(req, res)) ?? {};
      const delivery = {
        ...ctx.delivery,
        onBegin: () => events.open(),
        onText: (delta: string) => events.send("text", { delta }),
      };
      const output = await ask({ ...ctx, delivery }, body);
      events.open();
      events.send("done", output);
    } catch (error) {
      const publicError = toPublicError(error);
      reportError(error, req);
      if (!res.headersSent) {
        sendError(res, publicError, toErrorBody);
        return;
      }
      events.send("error", { status: publicError.status, ...toErrorBody(publicError) });
    } finally {
      events.close();
    }
  }

  return (req, res, next) => {
    if (req.accepts(["application/json", "text/event-stream"]) !== "text/event-stream") {
      next();
      return;
    }
    void handle(req, res);
  };
}

/** Server-sent events, once they are opened. */
function createEventStream(res: Response) {
  let keepingAlive: NodeJS.Timeout | undefined;
  return {
    open(): void {
      if (res.headersSent) return;
      res.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store" });
      res.flushHeaders();
      keepingAlive = setInterval(() => res.write(": keep-alive\n\n"), KEEP_ALIVE_EVERY_MS);
    },
    send(event: "text" | "done" | "error", data: unknown): void {
      res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    close(): void {
      clearInterval(keepingAlive);
      res.end();
    },
  };
}
