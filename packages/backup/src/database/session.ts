import { SessionClient } from "@workspace/db";
import type { Client, ClientConfig } from "pg";

/** The text of values must not depend on the server's settings. Other than requests, a backup may take its time. */
const SETTINGS = `
  SET bytea_output = 'hex'; SET IntervalStyle = 'postgres'; SET extra_float_digits = 1; SET statement_timeout = 0;
  SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '60s'; SET client_encoding = 'UTF8'`;

/** Runs `use` with a connection on which rows are written and read in the same form everywhere. */
export async function withSession<T>(config: ClientConfig, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new SessionClient({ connectionTimeoutMillis: 10_000, ...config });
  // Without a listener, a broken connection would end the process; the query in progress rejects anyway.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(SETTINGS);
    return await use(client);
  } finally {
    await client.end();
  }
}
