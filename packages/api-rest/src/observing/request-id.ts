import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";

/** What proxies and tracing libraries send; nothing that could forge a line of a log. */
const ACCEPTED = /^[\w.:=+/@-]{1,128}$/;

/** Names each request in responses and logs: as the proxy in front has named it, or anew. */
export const assignRequestId: RequestHandler = (req, res, next) => {
  const given = req.headers["x-request-id"];
  res.setHeader("X-Request-Id", typeof given === "string" && ACCEPTED.test(given) ? given : randomUUID());
  next();
};
