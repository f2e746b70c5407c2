import type { BackupService, Clock, MemoryEmbeddings, VaultMirror } from "@workspace/core";
import type { Db } from "@workspace/db";
import type { RequestHandler } from "express";
import type { WriteHealth } from "./write-health.ts";
import { sendJson } from "../rest/error-response.ts";

export interface HealthOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly version: string;
  readonly deployment: "embedded" | "external";
  readonly writeHealth: Pick<WriteHealth, "findProblem">;
  readonly vault: Pick<VaultMirror, "isAvailable" | "findHistoryProblem" | "lastLookAgeMs" | "status">;
  /** The maximum age of the mirror's last scan of the vault. A process that has run for less time waits for the first one. */
  readonly maxLookAgeMs: number;
  readonly isSchedulerRunning: () => boolean;
  readonly embeddings: Pick<MemoryEmbeddings, "isConfigured" | "problem">;
  readonly backups: Pick<BackupService, "findProblem">;
}

/** `GET /api/health`: open to all; 503 while the database is unavailable. */
export function createHealthRoute(options: HealthOptions): RequestHandler {
  return (_req, res, next) => {
    reportHealth(options).then(
      (health) => sendJson(res, health.database.available ? 200 : 503, { data: health }),
      (error: unknown) => next(error),
    );
  };
}

/** `GET /livez`: the process responds. Checks nothing else, so that an unavailable database does not cause a restart. */
export const livenessRoute: RequestHandler = (_req, res) => sendJson(res, 200, { data: { status: "ok" } });

interface ReadinessOptions extends Pick<HealthOptions, "db" | "vault"> {
  /** Whether the process is about to stop. */
  readonly isStopping: () => boolean;
}

/** `GET /readyz`: whether requests should be sent here, and if not (503), because it is stopping or which parts they lack. */
export function createReadinessRoute({ db, vault, isStopping }: ReadinessOptions): RequestHandler {
  const findMissing = async (): Promise<string[]> => {
    const [latencyMs, isVaultAvailable] = await Promise.all([measureLatencyMs(db), vault.isAvailable()]);
    return [...(latencyMs === null ? ["database"] : []), ...(isVaultAvailable ? [] : ["vault"])];
  };
  return (_req, res, next) => {
    findMissing().then(
      (missing) => {
        const status = isStopping() ? "stopping" : missing.length === 0 ? "ready" : "unavailable";
        sendJson(res, status === "ready" ? 200 : 503, { data: { status, missing } });
      },
      (error: unknown) => next(error),
    );
  };
}

async function reportHealth(options: HealthOptions) {
  const { db, clock, version, deployment, vault, maxLookAgeMs, writeHealth, isSchedulerRunning, embeddings, backups } =
    options;
  const [latencyMs, isVaultAvailable, historyProblem] = await Promise.all([
    measureLatencyMs(db),
    vault.isAvailable(),
    vault.findHistoryProblem(),
  ]);
  const problem = latencyMs === null ? null : await writeHealth.findProblem();
  const lastLookAgeMs = latencyMs === null ? null : await vault.lastLookAgeMs().catch(() => null);
  const backupProblem = latencyMs === null ? null : await backups.findProblem().catch(() => null);
  const isMirrorLate = process.uptime() * 1000 > maxLookAgeMs && (lastLookAgeMs ?? Infinity) > maxLookAgeMs;
  const problems = [historyProblem, problem, embeddings.problem, backupProblem];
  const isHealthy =
    latencyMs !== null && isVaultAvailable && problems.every((known) => known === null) && !isMirrorLate;
  return {
    status: isHealthy ? "ok" : "degraded",
    version,
    timestamp: clock.now().toISOString(),
    database: { configured: true, deployment, available: latencyMs !== null, latencyMs, problem },
    vault: { available: isVaultAvailable, historyAvailable: historyProblem === null, historyProblem },
    mirror: { leader: vault.status.isLeader, lastLookAgeMs },
    scheduler: { running: isSchedulerRunning() },
    embeddings: { configured: embeddings.isConfigured, problem: embeddings.problem },
    backups: { problem: backupProblem?.kind ?? null },
  };
}

/** After this timeout, a database that hangs counts as unavailable, and the waiting connection is closed. */
const PING = { text: "SELECT 1", query_timeout: 3000 };

/** How long the database takes to respond; null if it does not. */
export async function measureLatencyMs(db: Db): Promise<number | null> {
  const start = performance.now();
  try {
    await db.pool.query(PING);
    return Math.round((performance.now() - start) * 100) / 100;
  } catch {
    return null;
  }
}
