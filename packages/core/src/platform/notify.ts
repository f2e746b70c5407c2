import { defineCommand, type Queryable } from "@workspace/db";

const notification = defineCommand({ name: "notify", text: "SELECT pg_notify($1, $2)" });

/** Sends a payload of less than 8,000 bytes to every process listening on the channel; in a transaction, on commit. */
export async function notify(db: Queryable, channel: string, payload: string): Promise<void> {
  await notification.run(db, [channel, payload]);
}
