import { TooManyRequestsError, UnavailableError, type Clock } from "@workspace/core";
import { addressBlockOf } from "../auth/address-block.ts";
import { createAttemptLimiter, type AttemptVerdict } from "../auth/attempt-limiter.ts";
import { isLoopback } from "../auth/client-address.ts";

const MINUTE_MS = 60_000;
/** Soon, because sockets are closed all the time: pages are left, phones go to sleep. */
const RETRY_AFTER_S = 5;

export interface SocketLimits {
  readonly max: number;
  readonly maxPerUser: number;
  /** Does not apply to this machine itself, where all clients of a proxy seem to be. */
  readonly maxPerAddress: number;
  /** How often one user may connect from one address in a minute. */
  readonly connectsPerMinute: number;
  /** How many sockets per minute may be closed for what they sent before new ones are refused. */
  readonly violationsPerMinute: number;
}

export const SOCKET_LIMITS: SocketLimits = {
  max: 2_000,
  maxPerUser: 1_000,
  maxPerAddress: 500,
  connectsPerMinute: 1_200,
  violationsPerMinute: 20,
};

/** Who opens a socket, and from where. */
export interface Caller {
  readonly userId: string;
  readonly address: string;
}

/** How many sockets there are, and how many more there may be. */
export interface SocketAdmission {
  /** Throws {@link TooManyRequestsError}, or {@link UnavailableError} if the total is reached. */
  assertRoom(caller: Caller): void;
  /** Counts a socket until the returned function is called. */
  enter(caller: Caller): () => void;
  /** Counts a socket that had to be closed for what it sent. */
  recordViolation(caller: Caller): void;
}

export function createSocketAdmission(limits: SocketLimits, clock: Clock): SocketAdmission {
  const tryConnect = createAttemptLimiter({ max: limits.connectsPerMinute, windowMs: MINUTE_MS }, clock);
  const tryViolate = createAttemptLimiter({ max: limits.violationsPerMinute, windowMs: MINUTE_MS }, clock);
  const perUser = createCounts();
  const perAddress = createCounts();
  let total = 0;

  const keyOf = ({ userId, address }: Caller): string => `${userId} ${addressBlockOf(address)}`;

  return {
    assertRoom(caller) {
      const { userId, address } = caller;
      const violations = tryViolate(keyOf(caller));
      assertAllowed(violations, "Too many sockets had to be closed for what they sent.");
      violations.refund();
      assertAllowed(tryConnect(keyOf(caller)), "Too many connection attempts in a short time.");
      if (total >= limits.max)
        throw new UnavailableError("The server has too many open sockets. Try again in a moment.");
      const isAddressFull = !isLoopback(address) && perAddress.of(addressBlockOf(address)) >= limits.maxPerAddress;
      if (isAddressFull || perUser.of(userId) >= limits.maxPerUser) {
        throw new TooManyRequestsError("Too many open sockets. Close some of them first.", RETRY_AFTER_S);
      }
    },
    enter({ userId, address }) {
      const leave = [perUser.add(userId), perAddress.add(addressBlockOf(address))];
      total += 1;
      return () => {
        total -= 1;
        for (const each of leave) each();
      };
    },
    recordViolation: (caller) => void tryViolate(keyOf(caller)),
  };
}

function assertAllowed(
  verdict: AttemptVerdict,
  message: string,
): asserts verdict is Extract<AttemptVerdict, { isAllowed: true }> {
  if (!verdict.isAllowed) throw new TooManyRequestsError(message, verdict.retryAfterS);
}

/** Counts per key; keys with a count of zero are removed. */
function createCounts() {
  const counts = new Map<string, number>();
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    /** Returns a function that undoes it. */
    add(key: string): () => void {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return () => {
        const left = (counts.get(key) ?? 1) - 1;
        if (left === 0) counts.delete(key);
        else counts.set(key, left);
      };
    },
  };
}
