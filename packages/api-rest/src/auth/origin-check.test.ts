import { describe, expect, test } from "vitest";
import { assertSameOrigin, isFromOwnPage, type OriginPolicy } from "./origin-check.ts";

const policy: OriginPolicy = {
  ownOrigins: new Set(["http://localhost:3000"]),
  allowedOrigins: new Set(["https://other.example"]),
  trustsHostHeader: false,
};

describe("isFromOwnPage", () => {
  test.each([
    [{}],
    [{ origin: "http://localhost:3000" }],
    [{ origin: "http://localhost:3000", "sec-fetch-site": "same-origin" }],
    [{ "sec-fetch-site": "none" }],
    [{ origin: "https://other.example", "sec-fetch-site": "cross-site" }],
  ])("accepts %j as our own", (headers) => {
    expect(isFromOwnPage(headers, policy)).toBe(true);
  });

  test.each([
    [{ origin: "null" }],
    [{ origin: "" }],
    [{ origin: "http://localhost:3001" }],
    [{ origin: "https://localhost:3000" }],
    [{ origin: "http://localhost:3000.evil.example" }],
    [{ origin: "http://evil.example", host: "evil.example" }],
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
    [{ origin: "http://localhost:3000", "sec-fetch-site": "cross-site" }],
  ])("rejects %j as another site's page", (headers) => {
    expect(isFromOwnPage(headers, policy)).toBe(false);
  });

  test("compares with the request's host if any host may be ours", () => {
    const anyHost = { ...policy, trustsHostHeader: true };
    expect(isFromOwnPage({ origin: "http://box.lan:3000", host: "box.lan:3000" }, anyHost)).toBe(true);
    expect(isFromOwnPage({ origin: "http://evil.example", host: "box.lan:3000" }, anyHost)).toBe(false);
  });
});

test("pages of any site may send reading requests", () => {
  for (const method of ["GET", "HEAD", "OPTIONS"]) {
    expect(() => assertSameOrigin(method, { origin: "https://evil.example" }, policy)).not.toThrow();
  }
  expect(() => assertSameOrigin("POST", { origin: "https://evil.example" }, policy)).toThrow();
});
