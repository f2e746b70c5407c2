import { Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import type { ObservedRequest } from "./observed-requests.ts";
import { createRequestDurations } from "./request-durations.ts";

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

function request(method: string, url: string, status: number, durationMs: number): ObservedRequest {
  const res = { headersSent: status !== 0, statusCode: status || 200 } as ObservedRequest["res"];
  return { req: {} as ObservedRequest["req"], res, method, url, durationMs };
}

test("the text is that of a histogram of the library", async () => {
  const durations = createRequestDurations();
  const registry = new Registry();
  const expected = new Histogram({
    name: "workspace_http_request_duration_seconds",
    help: "How long requests took, until their response was sent; status 0 if the client had hung up",
    labelNames: ["method", "surface", "status"],
    buckets: BUCKETS,
    registers: [registry],
  });
  const observed = [
    ["GET", "/api/tasks?limit=1", 200, 0.5, "GET", "api"],
    ["GET", "/api/tasks", 200, 1, "GET", "api"],
    ["GET", "/api/tasks", 200, 61_000, "GET", "api"],
    ["GET", "/api/v1/tasks", 404, 3, "GET", "v1"],
    ["BREW", "/coffee", 0, 10_000, "other", "pages"],
  ] as const;
  for (const [method, url, status, ms, label, surface] of observed) {
    durations.add(request(method, url, status, ms));
    expected.observe({ method: label, surface, status: String(status) }, ms / 1000);
  }
  const sorted = (text: string): string[] => text.trim().split("\n").toSorted();
  expect(sorted(durations.render())).toEqual(sorted(await registry.metrics()));
});

test("of nothing there is a heading only", () => {
  expect(createRequestDurations().render().split("\n")).toHaveLength(2);
});
