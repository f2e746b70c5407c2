import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { WebSocket, type RawData } from "ws";
import { startService, type StartedProcess } from "./processes.ts";

const API_TOKEN = "a-token-for-measuring-0123456789";
export const tokenHeaders = { "X-API-Token": API_TOKEN };

/** The parts of a WebSocket frame that are used here. */
export interface Frame {
  readonly type: string;
  readonly seq?: number;
  readonly conversationId?: string;
  readonly delta?: string;
  readonly resourceId?: string;
}

/** Services that share one database and a model double. */
export interface ModelServices {
  readonly model: ModelDouble;
  /** Starts a service process, or restarts it after a kill. */
  start(index: number): Promise<StartedProcess>;
  url(index: number): string;
  close(): Promise<void>;
}

const FIRST_PORT = 3980;

/** Prepares services for the database that a bench runs in `dataDir`. */
export async function prepareServices(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ModelServices> {
  const model = await startModelDouble();
  const running = new Map<number, StartedProcess>();
  const databaseUrl = `postgresql://workspace@localhost:5432/workspace?host=${encodeURIComponent(join(dataDir, "postgres"))}`;
  return {
    model,
    async start(index) {
      const home = join(dataDir, `service-${index}`);
      await mkdir(home, { recursive: true });
      const service = await startService(home, FIRST_PORT + index, {
        DATABASE_URL: databaseUrl,
        SERVICE_API_TOKEN: API_TOKEN,
        SERVICE_SECRET: "one secret for all services of the bench",
        SERVICE_ENCRYPTION_KEY: "one key for all services of the bench 0123456789",
        OPENAI_API_KEY: "key",
        OPENAI_BASE_URL: model.baseUrl,
        OPENAI_MODEL: "gpt-5-mini",
        ...env,
      });
      running.set(index, service);
      return service;
    },
    url: (index) => `http://127.0.0.1:${FIRST_PORT + index}`,
    async close() {
      await Promise.all([...running.values()].map((service) => service.close()));
      await model.close();
    },
  };
}

/** Opens a socket; `onFrame` is called for every frame. `query` is appended to its URL. */
export async function openSocket(url: string, onFrame: (frame: Frame) => void, query = ""): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/api/ws${query}`, { headers: tokenHeaders });
  socket.on("message", (data: RawData) => onFrame(JSON.parse(new TextDecoder().decode(data as Buffer)) as Frame));
  socket.on("error", () => undefined);
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("close", () => reject(new Error("The socket was refused.")));
  });
  return socket;
}

export async function postJson<Body>(url: string, body: object): Promise<Body> {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...tokenHeaders, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}

/** The value below which a given share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
}
