import { EventEmitter } from "node:events";
import { type ClientConfig, escapeIdentifier } from "pg";
import { SessionClient } from "./session-client.ts";
import { errorMessage } from "./system-error.ts";

/** One connection that listens for notifications until it is lost. */
export interface ListenSession {
  /** Rejects if the connection is lost. Idempotent. */
  listenTo(channel: string): Promise<void>;
  /** Resolves with the reason once the connection is lost; never rejects. */
  readonly lost: Promise<string>;
  close(): Promise<void>;
}

interface ListenSessionOptions {
  readonly onNotification: (channel: string, payload: string) => void;
  /** How often to check that a silent connection is still alive. */
  readonly heartbeatMs: number;
}

/** The timeout for connecting and for every response, since a listening connection is never busy with anything else. */
const TIMEOUT_MS = 5000;

/** Rejects if the database cannot be reached. */
export async function openListenSession(
  config: ClientConfig,
  { onNotification, heartbeatMs }: ListenSessionOptions,
): Promise<ListenSession> {
  const client = new SessionClient({
    ...config,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  const events = new EventEmitter<{ lost: [reason: string] }>();
  const lost = new Promise<string>((resolve) => {
    events.once("lost", resolve);
  });
  client.on("error", (error) => events.emit("lost", error.message));
  client.on("end", () => events.emit("lost", "the connection was closed"));
  client.on("notification", ({ channel, payload = "" }) => onNotification(channel, payload));
  await client.connect();
  const heartbeat = setInterval(() => {
    client.query("SELECT 1").catch((error: unknown) => events.emit("lost", errorMessage(error)));
  }, heartbeatMs).unref();
  return {
    async listenTo(channel) {
      await client.query(`LISTEN ${escapeIdentifier(channel)}`);
    },
    lost,
    async close() {
      clearInterval(heartbeat);
      // It fails on a connection that is already lost.
      await client.end().catch(() => {});
    },
  };
}
