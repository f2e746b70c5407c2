import type { Page, Response } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import type { Visitor } from "./visitor.ts";

const COUNT = 250;

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;
let ids: readonly string[];

beforeAll(async () => {
  const inputs = Array.from({ length: COUNT }, (_, index) => ({ title: `Task ${index + 1}` }));
  ids = (await dashboard.api.mutateAll<{ id: string }>("tasks.create", inputs)).map(({ id }) => id);
});

beforeEach(async () => {
  visitor = await dashboard.visit();
  ({ page } = visitor);
});

describe("a second visit", () => {
  it("begins with what the browser keeps, and reads only what has changed since", async () => {
    await visitAndKeep();
    await page.goto("/favicon.svg");
    await dashboard.api.mutateAll("tasks.update", [{ id: ids[3], title: "Changed meanwhile" }]);
    await dashboard.api.mutateAll("tasks.delete", [{ id: ids[76] }]);
    await dashboard.api.mutateAll("tasks.create", [{ title: "Made meanwhile", status: "in_progress" }]);
    const read = procedures();
    let answer = (): void => undefined;
    const isToBeAnswered = new Promise<void>((resolve) => (answer = resolve));
    await page.route("**/api/**", async (route) => {
      await isToBeAnswered;
      await route.continue();
    });
    await page.goto("/tasks?view=list");
    // Shown before the server has said anything.
    await row("Task 250").waitFor();
    answer();
    await row("Made meanwhile").waitFor();
    await page.getByLabel("Filter by text").fill("Changed meanwhile");
    await row("Changed meanwhile").waitFor();
    await page.getByLabel("Filter by text").fill("Task 77");
    await row("Task 177").waitFor();
    expect(await row("Task 77").count()).toBe(0);
    expect(read.get("changes.since")).toBeGreaterThan(0);
    expect(read.get("tasks.list")).toBeUndefined();
  });

  it("shows the rows that it showed first, and the server's numbers, before it has read all that the browser keeps", async () => {
    await visitAndKeep();
    await expect.poll(keptFirstRows).toContain(ids.at(-1));
    await page.goto("/favicon.svg");
    await page.addInitScript(() => {
      const { getAll } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.getAll = function (...range: Parameters<typeof getAll>) {
        const request = getAll.apply(this, range);
        request.addEventListener("success", (event) => event.stopImmediatePropagation());
        return request;
      };
    });
    await page.goto("/tasks?view=list");
    await row("Task 250").waitFor();
    const counts = await dashboard.api.query<{ status: string; count: number }[]>("tasks.counts", {});
    const count = counts.reduce((sum, { status, count: ofProject }) => sum + (status === "todo" ? ofProject : 0), 0);
    await page.getByRole("button", { name: `To do ${count}`, exact: true }).waitFor();
    const shown = await page.getByRole("grid", { name: "Tasks" }).getAttribute("aria-rowcount");
    expect(Number(shown)).toBeLessThan(COUNT / 2);
  });

  it("reads all anew if the log does not reach back that far", async () => {
    await visitAndKeep();
    await page.goto("/favicon.svg");
    await setPosition("1-1000");
    const read = procedures();
    await page.goto("/tasks?view=list");
    await row("Task 250").waitFor();
    await expect.poll(() => read.get("tasks.list")).toBeGreaterThan(0);
    await expect.poll(keptPosition).not.toBe("1-1000");
  });
});

describe("the copy", () => {
  it("is removed when the user signs out, also while another tab is open", async () => {
    // What the page still asks for when the session has ended.
    visitor.watch.expect(/401/);
    await visitAndKeep();
    const other = await visitor.context.newPage();
    await other.goto("/tasks?view=list");
    await other.locator("[data-task-id]").first().waitFor();
    await page.getByRole("button", { name: "Ada Lindqvist" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Workspace" }).waitFor();
    await other.getByRole("heading", { name: "Sign in to Workspace" }).waitFor();
    await expect.poll(keptRows).toBe(0);
    // Nothing that the other tab had on its way is kept afterwards.
    await page.getByLabel("Email").fill("nobody@example.com");
    expect(await keptRows()).toBe(0);
  });

  it("leaves no names of folders behind when the user signs out, or when the session has ended elsewhere", async () => {
    visitor.watch.expect(/401/);
    const doc = await visitor.vault.write("Secret plans/Treasure.md", "Behind the tree.\n");
    const stored = () => page.evaluate(() => Object.values<unknown>(localStorage).join("\n"));
    const openFolder = async () => {
      await page.goto(`/documents?doc=${doc}`);
      await page.getByText("Behind the tree.").waitFor();
      await expect.poll(stored).toContain("Secret plans");
    };
    await openFolder();
    const cookies = await visitor.context.cookies();
    await visitor.context.clearCookies();
    await page.goto("/sign-in");
    await page.getByRole("heading", { name: "Sign in to Workspace" }).waitFor();
    await expect.poll(stored).not.toContain("Secret plans");
    await visitor.context.addCookies(cookies);
    await openFolder();
    await page.getByRole("button", { name: "Ada Lindqvist" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Workspace" }).waitFor();
    await expect.poll(stored).not.toContain("Secret plans");
  });

  it("is removed when the session is refused, and nothing of it is left for another user", async () => {
    visitor.watch.expect(/401/);
    await visitAndKeep();
    await page.goto("/favicon.svg");
    await visitor.context.clearCookies();
    await page.goto("/tasks?view=list");
    await page.getByRole("heading", { name: "Sign in to Workspace" }).waitFor();
    await expect.poll(keptRows).toBe(0);
  });

  it("is removed when the session has ended elsewhere, also if the next visit begins at the page to sign in", async () => {
    await visitAndKeep();
    await page.goto("/favicon.svg");
    await visitor.context.clearCookies();
    await page.goto("/sign-in");
    await page.getByRole("heading", { name: "Sign in to Workspace" }).waitFor();
    await expect.poll(keptRows).toBe(0);
  });

  it("of another user is not shown", async () => {
    // What is asked for before it is known that somebody else is signed in.
    visitor.watch.expect(/401/);
    await visitAndKeep();
    await page.goto("/favicon.svg");
    const { request } = visitor.context;
    const account = { name: "Grace", email: "grace@example.com", password: "long enough" };
    await request.post("/api/auth/sign-out", { data: {}, headers: { origin: dashboard.server.url } });
    await request.post("/api/auth/sign-up/email", { data: account, headers: { origin: dashboard.server.url } });
    await page.goto("/tasks?view=list");
    await page.getByRole("button", { name: "Grace" }).waitFor();
    await expect.poll(keptOwner).toBe("Grace");
  });

  it("is not needed: where the browser keeps nothing, the page works as without", async () => {
    await page.addInitScript(() => Object.defineProperty(window, "indexedDB", { get: () => undefined }));
    await page.goto("/tasks?view=list");
    await row("Task 250").waitFor();
    await page.reload();
    await row("Task 250").waitFor();
  });
});

const row = (name: string | RegExp) => page.locator("[data-task-id]").getByText(name, { exact: true });

/** Opens the tasks, and waits until the browser keeps them. */
async function visitAndKeep(): Promise<void> {
  await page.goto("/tasks?view=list");
  await row("Task 250").waitFor();
  await expect.poll(keptRows, { timeout: 20_000 }).toBeGreaterThanOrEqual(COUNT - 1);
  await expect.poll(keptPosition).toMatch(/^\d+-\d+$/);
}

/** How often each procedure is called from now on. */
function procedures(): ReadonlyMap<string, number> {
  const calls = new Map<string, number>();
  page.on("response", (response: Response) => {
    const names = /\/api\/trpc\/([^?]*)/.exec(response.url())?.[1]?.split(",") ?? [];
    for (const name of names) calls.set(name, (calls.get(name) ?? 0) + 1);
  });
  return calls;
}

const keptRows = () => inCopy<number>("rows", "count");
const keptPosition = async () => (await inCopy<{ position: string } | undefined>("kinds", "get", "task"))?.position;
const keptFirstRows = async () => {
  const key = JSON.stringify(["first-rows", "task", "/tasks", "view=list"]);
  return (await inCopy<{ data: string[] } | undefined>("answers", "get", key))?.data;
};
const keptOwner = async () =>
  (await inCopy<{ user: { name: string } } | undefined>("owner", "get", "owner"))?.user.name;

async function setPosition(position: string): Promise<void> {
  const until = await inCopy<object>("kinds", "get", "task");
  await inCopy("kinds", "put", { ...until, position }, "task");
}

/** Does something with the browser's copy. */
function inCopy<Result>(store: string, method: "count" | "get" | "put", ...values: unknown[]): Promise<Result> {
  return page.evaluate(
    async ({ store: name, method: call, values: args }) => {
      const settled = (request: IDBRequest) =>
        new Promise<unknown>((resolve, reject) => {
          request.addEventListener("success", () => resolve(request.result));
          request.addEventListener("error", () => reject(request.error ?? new Error("failed")));
        });
      const known = await indexedDB.databases();
      if (!known.some((database) => database.name === "workspace-copy")) return call === "count" ? 0 : undefined;
      const database = (await settled(indexedDB.open("workspace-copy"))) as IDBDatabase;
      const objects = database.transaction(name, "readwrite").objectStore(name);
      const result = await settled(
        (Reflect.get(objects, call) as (...given: unknown[]) => IDBRequest).apply(objects, args),
      );
      database.close();
      return result;
    },
    { store, method, values },
  ) as Promise<Result>;
}
