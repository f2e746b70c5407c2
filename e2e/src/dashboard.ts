import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { createApiClient, type ApiClient } from "./api-client.ts";
import { useBrowser } from "./browser.ts";
import { createProfiles } from "./profiles.ts";
import { startServer } from "./server.ts";
import type { TestServer } from "./server-process.ts";
import { endVisit, type Visitor, type VisitorOptions } from "./visitor.ts";

/**
 * What all tests of a file share: a server with an empty database, which runs while tests and hooks run, and the browser of the
 * worker.
 */
export interface Dashboard {
  readonly server: TestServer;
  readonly browser: Browser;
  /** Calls the server as its owner. */
  readonly api: ApiClient;
  /** Opens a window for the current test. It is closed after the test, which fails if a page reported problems. */
  visit(options?: VisitorOptions): Promise<Visitor>;
}

/** Where the servers of this worker's files listen, one after the other, so that the browser has compiled their dashboard. */
let port: string | undefined;

async function startServerAtPort(settings: Readonly<Record<string, string>>): Promise<TestServer> {
  // Somebody else may have taken the port in between.
  const atSamePort = port === undefined ? undefined : await startServer(settings, { port }).catch(() => undefined);
  const server = atSamePort ?? (await startServer(settings));
  ({ port } = new URL(server.url));
  return server;
}

/**
 * Starts a server before the tests of a file and closes it afterwards; to be called at the top of the file.
 * `settings` returns additional environment variables of the server, after earlier `beforeAll` hooks have run.
 */
export function setUpDashboard(settings: () => Record<string, string> = () => ({})): Dashboard {
  let shared: (Pick<Dashboard, "server" | "browser" | "api"> & ReturnType<typeof createProfiles>) | undefined;
  let visitors: Visitor[] = [];

  beforeAll(async () => {
    const [server, browser] = await Promise.all([startServerAtPort(settings()), useBrowser()]);
    shared = { server, browser, api: await createApiClient(server), ...createProfiles(browser, server) };
  });

  afterEach(async ({ task }) => {
    const ended = visitors;
    visitors = [];
    const results = await Promise.allSettled(ended.map((visitor) => endVisit(visitor, task)));
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  });

  afterAll(async () => {
    await shared?.endOtherContexts();
    await shared?.server.close();
  });

  function running() {
    if (shared === undefined) throw new Error("The server and the browser are only available in tests and hooks.");
    return shared;
  }

  return {
    get server() {
      return running().server;
    },
    get browser() {
      return running().browser;
    },
    get api() {
      return running().api;
    },
    async visit(options = {}) {
      const visitor = await running().visit(options);
      visitors.push(visitor);
      return visitor;
    },
  };
}
