import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/client.ts";
import { PROBLEM_TITLES, type BackupProblemKind } from "./backup.ts";

/** What `GET /api/health` returns; it also responds while the database is away, with status 503. */
export interface Health {
  readonly version: string;
  readonly database: {
    readonly available: boolean;
    readonly deployment: "embedded" | "external";
    readonly latencyMs: number | null;
    readonly problem: string | null;
  };
  readonly vault: { readonly available: boolean; readonly historyProblem: string | null };
  readonly mirror: { readonly lastLookAgeMs: number | null };
  readonly scheduler: { readonly running: boolean };
  readonly embeddings: { readonly configured: boolean; readonly problem: string | null };
  readonly backups: { readonly problem: BackupProblemKind | null };
}

const REFETCH_MS = 15_000;

export function healthQuery(client: Client) {
  return queryOptions({
    queryKey: ["health"],
    queryFn: async ({ signal }) => {
      const response = await client.fetch("/api/health", { signal });
      const { data }: { data: Health } = await response.json();
      return data;
    },
    refetchInterval: REFETCH_MS,
    staleTime: 0,
  });
}

export interface HealthPart {
  readonly name: string;
  /** How it is, in a few words. */
  readonly state: string;
  /** What is wrong; null if nothing is. */
  readonly problem: string | null;
}

/** How each part of the server is, in words. */
export function describeHealth({ database, vault, mirror, scheduler, embeddings, backups }: Health): HealthPart[] {
  const { latencyMs } = database;
  const { lastLookAgeMs } = mirror;
  return [
    {
      name: "Database",
      state: latencyMs === null ? "Not available" : `Responds in ${Math.max(1, Math.round(latencyMs))} ms`,
      problem: database.available ? database.problem : "The database does not respond. Nothing can be read or saved.",
    },
    {
      name: "Vault",
      state: vault.available ? "Available" : "Not available",
      problem: vault.available ? vault.historyProblem : "The folder of the vault cannot be reached.",
    },
    {
      name: "Changes on the disk",
      state:
        lastLookAgeMs === null ? "Not read yet" : `Followed, last checked ${Math.round(lastLookAgeMs / 1000)} s ago`,
      problem: null,
    },
    {
      name: "Agents' schedules",
      state: scheduler.running ? "Running" : "Not running",
      problem: scheduler.running ? null : "This process starts no scheduled runs.",
    },
    {
      name: "Memories' vectors",
      state: embeddings.configured ? "Made by a model" : "No model chosen: search is by words",
      problem: embeddings.problem,
    },
    {
      name: "Backups",
      state: backups.problem === null ? "No failure is known" : "Failing",
      problem: backups.problem === null ? null : `${PROBLEM_TITLES[backups.problem]}. See the backup settings.`,
    },
  ];
}
