import { describe, expect, test } from "vitest";
import { createSocketAdmission, type SocketLimits } from "./socket-limits.ts";

const ROOMY: SocketLimits = {
  max: 100,
  maxPerUser: 100,
  maxPerAddress: 100,
  connectsPerMinute: 100,
  violationsPerMinute: 100,
};

function setUp(limits: Partial<SocketLimits>) {
  let nowMs = 1_000_000;
  const admission = createSocketAdmission({ ...ROOMY, ...limits }, { now: () => new Date(nowMs) });
  return {
    admission,
    advance: (ms: number) => (nowMs += ms),
    /** Opens a socket; returns a function that closes it, or the status of the refusal. */
    open(userId: string, address: string): (() => void) | { status?: number } {
      try {
        admission.assertRoom({ userId, address });
      } catch (error) {
        return error as { status?: number };
      }
      return admission.enter({ userId, address });
    },
  };
}

describe("a limit on sockets", () => {
  test("applies to the total", () => {
    const { open } = setUp({ max: 2 });
    const close = open("ada", "192.0.2.1");
    open("bob", "192.0.2.2");
    expect(open("eve", "192.0.2.3")).toMatchObject({ status: 503 });
    if (typeof close === "function") close();
    expect(open("eve", "192.0.2.3")).toBeTypeOf("function");
  });

  test("applies per user, from any address", () => {
    const { open } = setUp({ maxPerUser: 2 });
    open("ada", "192.0.2.1");
    open("ada", "127.0.0.1");
    expect(open("ada", "192.0.2.3")).toMatchObject({ status: 429, retryAfterS: expect.any(Number) });
    expect(open("bob", "192.0.2.1")).toBeTypeOf("function");
  });

  test("applies per address, with an IPv6 /64 as one, but not to this machine", () => {
    const { open } = setUp({ maxPerAddress: 2 });
    open("ada", "2001:db8::1");
    open("bob", "2001:db8::ffff:2");
    expect(open("eve", "2001:db8::3")).toMatchObject({ status: 429 });
    expect(open("eve", "2001:db8:0:1::3")).toBeTypeOf("function");
    for (let count = 0; count < 5; count += 1) expect(open("ada", "::1")).toBeTypeOf("function");
  });
});

test("connecting too often is refused until a minute has passed", () => {
  const { open, advance } = setUp({ connectsPerMinute: 3 });
  const reconnect = () => {
    const close = open("ada", "127.0.0.1");
    if (typeof close === "function") close();
    return close;
  };
  for (let count = 0; count < 3; count += 1) expect(reconnect()).toBeTypeOf("function");
  expect(reconnect()).toMatchObject({ status: 429, retryAfterS: 60 });
  advance(60_001);
  expect(reconnect()).toBeTypeOf("function");
});

test("a user whose sockets keep violating the limits is refused only from that address", () => {
  const { open, admission, advance } = setUp({ violationsPerMinute: 2 });
  const caller = { userId: "ada", address: "192.0.2.1" };
  admission.recordViolation(caller);
  expect(open("ada", "192.0.2.1")).toBeTypeOf("function");
  admission.recordViolation(caller);
  expect(open("ada", "192.0.2.1")).toMatchObject({ status: 429 });
  expect(open("ada", "192.0.2.9")).toBeTypeOf("function");
  expect(open("bob", "192.0.2.1")).toBeTypeOf("function");
  advance(60_001);
  expect(open("ada", "192.0.2.1")).toBeTypeOf("function");
});
