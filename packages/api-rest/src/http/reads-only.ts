import type { RequestHandler } from "express";
import { sendMethodNotAllowed } from "../rest/error-response.ts";

const READS: readonly string[] = ["GET", "HEAD"];

/** For routes that can only be read: any other method is 405. */
export const readsOnly: RequestHandler = (req, res, next) => {
  if (READS.includes(req.method)) next();
  else sendMethodNotAllowed(res, READS);
};
