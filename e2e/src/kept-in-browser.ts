import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Visitor } from "./visitor.ts";

/** How many records a store of the browser has, with a key if one is given; -1 while there is no such database. */
export function keptIn(page: Page, database: string, store: string, key?: string): Promise<number> {
  return page.evaluate(
    async ({ database: name, store: storeName, key: wanted }) => {
      const settled = <Result>(request: IDBRequest<Result>) =>
        new Promise<Result>((resolve, reject) => {
          request.addEventListener("success", () => resolve(request.result));
          request.addEventListener("error", () => reject(request.error ?? new Error("failed")));
        });
      if (!(await indexedDB.databases()).some((known) => known.name === name)) return -1;
      const opened = await settled(indexedDB.open(name));
      const count = await settled(opened.transaction(storeName).objectStore(storeName).count(wanted));
      opened.close();
      return count;
    },
    { database, store, key },
  );
}

export async function openTasks(page: Page): Promise<void> {
  await page.goto("/tasks?view=list");
  await page.locator("[data-task-id]").first().waitFor();
}

/** Opens the tasks, and goes offline. */
export async function openAndLeave(visitor: Visitor): Promise<void> {
  await openTasks(visitor.page);
  await leave(visitor);
}

/** Goes offline once the browser keeps the files of the page. */
export async function leave({ page, context }: Pick<Visitor, "page" | "context">): Promise<void> {
  await filesAreKept(page);
  await context.setOffline(true);
}

/** Waits until the browser keeps the files of the page. */
export async function filesAreKept(page: Page): Promise<void> {
  const isKept = () => page.evaluate(async () => (await caches.match("/offline-files.json")) !== undefined);
  await expect.poll(isKept, { timeout: 60_000 }).toBe(true);
}

/** Goes online, and waits until nothing is left to be sent. */
export async function comeBack({ page, context }: Visitor): Promise<void> {
  await context.setOffline(false);
  await isSent(page);
}

export async function isSent(page: Page): Promise<void> {
  await expect.poll(() => keptChanges(page), { timeout: 30_000 }).toBe(0);
}

export function waiting(page: Page, count: number): Promise<void> {
  return expect.poll(() => keptChanges(page)).toBe(count);
}

/** How many changes of tasks the browser keeps to be sent. */
export function keptChanges(page: Page): Promise<number> {
  return keptIn(page, "workspace-outbox", "changes");
}

/** The ids of the documents whose texts the browser keeps, in order. */
export function keptTexts(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const settled = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error ?? new Error("failed")));
      });
    if (!(await indexedDB.databases()).some((known) => known.name === "workspace-copy")) return [];
    const opened = await settled(indexedDB.open("workspace-copy"));
    const keys = await settled(opened.transaction("rows").objectStore("rows").getAllKeys());
    opened.close();
    return keys.flatMap((key) => /^text\/([^/]+)/.exec(typeof key === "string" ? key : "")?.[1] ?? []);
  });
}
