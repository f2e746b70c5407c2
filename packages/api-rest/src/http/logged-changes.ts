import { setTimeout as sleep } from "node:timers/promises";
import type { Services } from "@workspace/core";
import type { RequestHandler } from "express";

const READS: readonly string[] = ["GET", "HEAD", "OPTIONS"];
/** While the database is away, a response does not wait for longer: the change is committed, and is logged later. */
const MAX_WAIT_MS = 2_000;

/**
 * While there are webhooks, a change is acknowledged only once it is in the log, from which they are served: otherwise it would be
 * missed if the process died in the milliseconds between.
 */
export function holdUntilLogged({ changes, webhookDispatcher }: Services): RequestHandler {
  return (req, res, next) => {
    if (!READS.includes(req.method)) {
      const end = res.end.bind(res);
      res.end = (...given: unknown[]) => {
        if (webhookDispatcher.isNeeded) void untilLogged().then(() => Reflect.apply(end, res, given));
        else Reflect.apply(end, res, given);
        return res;
      };
    }
    next();
  };

  function untilLogged(): Promise<unknown> {
    return Promise.race([changes.logged(), sleep(MAX_WAIT_MS, undefined, { ref: false })]);
  }
}
