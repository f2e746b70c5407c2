import { createHash, timingSafeEqual } from "node:crypto";
import type { Services } from "@workspace/core";
import type { Pool } from "@workspace/db";
import type { RequestHandler } from "express";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { sendError } from "../rest/error-response.ts";
import type { RequestObserver } from "./observed-requests.ts";
import { createRequestDurations } from "./request-durations.ts";
import { createWorkGauges, type WorkServices } from "./work-gauges.ts";

export interface MetricsOptions {
  /** What a request for the metrics has to present. */
  readonly token: string;
  readonly pool: Pick<Pool, "totalCount" | "idleCount" | "waitingCount">;
  readonly services: Pick<Services, "serverStatus" | "usage" | "vaultMirror" | "background"> & WorkServices;
  /** How many WebSockets this process serves. */
  readonly countSockets: () => number;
  readonly reportError: (error: unknown) => void;
}

export interface Metrics extends RequestObserver {
  /** `GET /metrics`, in the text format of Prometheus, for who has the token. */
  readonly route: RequestHandler;
}

/** Counts requests, and reads what else the server knows of itself when it is asked for the metrics. */
export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = createRequestDurations();
  let started = 0;
  let ended = 0;
  const inFlight = gauge(registry, "workspace_http_requests_in_flight", "Requests without a complete response");
  const readAll = createGauges(registry, options);
  const tokenHash = sha256(options.token);

  async function render(): Promise<string> {
    await readAll();
    inFlight.set(started - ended);
    return `${await registry.metrics()}\n${durations.render()}\n`;
  }

  return {
    onStart() {
      started += 1;
    },
    onEnd(request) {
      ended += 1;
      durations.add(request);
    },
    route(req, res, next) {
      const given = /^bearer (.+)$/i.exec(req.headers.authorization ?? "")?.[1];
      if (given === undefined || !timingSafeEqual(sha256(given), tokenHash)) {
        res.setHeader("WWW-Authenticate", "Bearer");
        sendError(res, { status: 401, message: "Send METRICS_TOKEN as a bearer token." });
        return;
      }
      render().then(
        (text) => {
          res.writeHead(200, { "Content-Type": registry.contentType, "Cache-Control": "no-store" });
          res.end(text);
        },
        (error: unknown) => next(error),
      );
    },
  };
}

/** Gauges of what is read on demand; returns what reads it. Without the database, those that need it are left out. */
function createGauges(registry: Registry, { pool, services, countSockets, reportError }: MetricsOptions) {
  const pooled = gauge(registry, "workspace_database_connections", "Connections of the pool", ["state"]);
  const waiting = gauge(registry, "workspace_database_waiting", "Statements that wait for a connection");
  const isUp = gauge(registry, "workspace_database_up", "Whether the database responds");
  const sockets = gauge(registry, "workspace_sockets", "Connected WebSockets");
  const leads = gauge(registry, "workspace_mirror_leader", "Whether this process mirrors the vault");
  const unindexed = gauge(registry, "workspace_mirror_unindexed_texts", "Texts of this process to be indexed");
  const scanAge = gauge(registry, "workspace_mirror_last_scan_age_seconds", "Time since the last scan of the vault");
  const schedules = gauge(registry, "workspace_scheduler_running", "Whether this process runs schedules");
  const running = gauge(registry, "workspace_agent_runs_running", "Runs of agents in progress, of all processes");
  const runs = gauge(registry, "workspace_agent_runs_last_hour", "Runs that began within the last hour", ["status"]);
  const spent = gauge(registry, "workspace_spend_today_usd", "Spent on models today");
  const limit = gauge(registry, "workspace_spend_limit_usd", "The daily budget; absent without one");
  const events = gauge(registry, "workspace_hook_events_last_day", "Hook events counted within the last day", [
    "outcome",
  ]);
  const readWork = createWorkGauges(registry, services);

  async function readDatabase(): Promise<void> {
    const [activity, budget, lookAgeMs] = await Promise.all([
      services.serverStatus.readActivity(),
      services.usage.budget(),
      services.vaultMirror.lastLookAgeMs(),
      readWork(),
    ]);
    for (const { status, count } of activity.runs) runs.set({ status }, count);
    running.set(activity.running);
    events.set({ outcome: "blocked" }, activity.events.blocked);
    events.set({ outcome: "allowed" }, activity.events.total - activity.events.blocked);
    spent.set(budget.spentUsd);
    if (budget.limitUsd !== null) limit.set(budget.limitUsd);
    if (lookAgeMs !== null) scanAge.set(lookAgeMs / 1000);
  }

  return async (): Promise<void> => {
    pooled.set({ state: "idle" }, pool.idleCount);
    pooled.set({ state: "active" }, pool.totalCount - pool.idleCount);
    waiting.set(pool.waitingCount);
    sockets.set(countSockets());
    const { isLeader, unindexed: texts } = services.vaultMirror.status;
    leads.set(Number(isLeader));
    unindexed.set(texts);
    schedules.set(Number(services.background.isSchedulerRunning));
    for (const read of [running, spent, limit, scanAge]) read.remove();
    for (const read of [runs, events]) read.reset();
    try {
      await readDatabase();
      isUp.set(1);
    } catch (error) {
      reportError(error);
      isUp.set(0);
    }
  };
}

function gauge(registry: Registry, name: string, help: string, labelNames: readonly string[] = []): Gauge {
  return new Gauge({ name, help, labelNames, registers: [registry] });
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
