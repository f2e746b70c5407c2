import type { Page } from "playwright-core";

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
