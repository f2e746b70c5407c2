import { createTestDatabase } from "@workspace/db/testing";
import { startServerProcess, type TestServer } from "./server-process.ts";

/**
 * Starts the built server as a user would, with a database of its own that has nothing but its owner, whom the global setup has
 * stored, and any additional settings, at a free port unless one is given. The server is built by the project's global setup.
 */
export async function startServer(
  settings: Readonly<Record<string, string>> = {},
  { port }: { readonly port?: string } = {},
): Promise<TestServer> {
  const database = await createTestDatabase();
  return startServerProcess({
    settings: { DATABASE_URL: database.url, ...settings },
    port,
    onClosed: () => database.close(),
  });
}
