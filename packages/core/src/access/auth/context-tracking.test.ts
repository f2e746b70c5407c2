import { getRequestStateAsyncLocalStorage } from "@better-auth/core/context";
import { expect, it } from "vitest";
import { withContextTracking } from "./context-tracking.ts";

it("disables the library's storages when its last call ends, and they come back with the next", async () => {
  const storage = await getRequestStateAsyncLocalStorage();
  const store = new WeakMap();
  for (let round = 0; round < 2; round += 1) {
    await storage.run(store, async () => {
      let end = (): void => undefined;
      const longCall = withContextTracking(() => new Promise<void>((resolve) => (end = resolve)));
      await withContextTracking(async () => {});
      // The long call still needs its context.
      expect(storage.getStore()).toBe(store);
      end();
      await longCall;
      expect(storage.getStore()).toBeUndefined();
    });
  }
});
