import { expect, test } from "vitest";
import { createLimiter } from "./limiter.ts";

test("no more than its number are under way, in the order in which they came, also after a failure", async () => {
  const inTurn = createLimiter(2);
  const begun: number[] = [];
  let underWay = 0;
  let most = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) =>
      inTurn(async () => {
        begun.push(index);
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        if (index % 3 === 0) throw new Error("failed");
        return index;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(4);
});
