import type { Logger, Services } from "@workspace/core";
import type { Db } from "@workspace/db";
import type { RequestHandler } from "express";
import type { Config } from "../env.ts";
import { createAccessLog } from "./access-log.ts";
import { observeRequests, type RequestListener } from "./observed-requests.ts";

export interface ObservingOptions {
  readonly config: Pick<Config, "hasAccessLog" | "metricsToken" | "trustsProxy">;
  readonly logger: Logger;
  readonly db: Db;
  readonly services: Services;
  /** How many WebSockets this process serves. */
  readonly countSockets: () => number;
}

export interface Observing {
  /** Returns what serves requests and observes them, as far as somebody wants to know. */
  readonly observe: (serve: RequestListener) => RequestListener;
  /** `GET /metrics`; null if there are none. */
  readonly metricsRoute: RequestHandler | null;
  /** Writes what is buffered. */
  close(): void;
}

/** The access log and the metrics, each only if it is configured. The library for metrics is loaded only then. */
export async function createObserving({
  config,
  logger,
  db,
  services,
  countSockets,
}: ObservingOptions): Promise<Observing> {
  const { hasAccessLog, metricsToken: token, trustsProxy } = config;
  const log = hasAccessLog ? createAccessLog({ trustsProxy }) : null;
  const reportError = (error: unknown): void => logger.warn({ err: error }, "not all metrics could be read");
  const metrics =
    token === null
      ? null
      : (await import("./metrics.ts")).createMetrics({ token, pool: db.pool, services, countSockets, reportError });
  const observers = [log, metrics].filter((observer) => observer !== null);
  return {
    observe: (serve) => observeRequests(serve, observers),
    metricsRoute: metrics?.route ?? null,
    close: () => log?.close(),
  };
}
