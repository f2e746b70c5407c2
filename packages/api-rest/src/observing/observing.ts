import type { Logger, Services } from "@workspace/core";
import type { Db } from "@workspace/db";
import type { RequestHandler } from "express";
import type { Config } from "../env.ts";
import { createAccessLog } from "./access-log.ts";
import type { Tracing } from "./tracing/tracing.ts";
import type { TracingConfig } from "./tracing/tracing-config.ts";
import { observeRequests, type RequestListener } from "./observed-requests.ts";

export interface ObservingOptions {
  readonly config: Pick<Config, "hasAccessLog" | "metricsToken" | "tracing" | "trustsProxy">;
  readonly version: string;
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
  /** Writes what is buffered, and sends the last traces. */
  close(): Promise<void>;
}

/** The access log, the metrics and the traces, each only if it is configured. Their libraries are loaded only then. */
export async function createObserving({
  config,
  version,
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
  const tracing = config.tracing === null ? null : await openTracing(config.tracing, version, logger);
  const observers = [log, metrics].filter((observer) => observer !== null);
  return {
    observe: (serve) => observeRequests(tracing?.observe(serve) ?? serve, observers),
    metricsRoute: metrics?.route ?? null,
    async close() {
      log?.close();
      await tracing?.close();
    },
  };
}

async function openTracing(config: TracingConfig, version: string, logger: Logger): Promise<Tracing> {
  const { startTracing } = await import("./tracing/tracing.ts");
  return startTracing({
    config,
    version,
    reportError: (reason) => logger.warn({ reason }, "traces could not be sent"),
  });
}
