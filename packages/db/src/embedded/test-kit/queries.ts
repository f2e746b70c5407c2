import { Client, type ClientConfig, type QueryResultRow } from "pg";

/** Runs one statement over a new connection and returns its rows. */
export async function query<Row extends QueryResultRow>(config: ClientConfig, sql: string): Promise<Row[]> {
  const client = new Client(config);
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
