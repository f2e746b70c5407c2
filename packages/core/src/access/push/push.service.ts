import type { Agent } from "node:https";
import { transaction } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { NotFoundError, UnauthenticatedError } from "../../platform/errors.ts";
import { mapConcurrently } from "../../platform/map-concurrently.ts";
import { createPager, timeAndId, type Page, type Paging } from "../../platform/paging.ts";
import type { SignedInUser } from "../../platform/procedures/principal.ts";
import type { EncryptionKeys } from "../secrets/encryption-keys.ts";
import { deliverPush, type PushMessage, type PushOutcome } from "./push-delivery.ts";
import { findOrMakePushKeys } from "./push-keys.ts";
import { assertPushEndpoint } from "./push-network.ts";
import {
  deleteGonePushSubscription,
  deletePushSubscription,
  deletePushSubscriptionsBeyond,
  putPushSubscription,
  selectPushDevices,
  selectPushTarget,
  selectPushTargets,
  type PushTarget,
} from "./push-subscription.queries.ts";
import type { PushDelivery, PushDevice, Subscribe } from "./push.schema.ts";

/** For one person; with more, the oldest ends. */
const MAX_DEVICES = 10;
/** How many devices get a message, and how many of them at a time. */
const MAX_TARGETS = 100;
const CONCURRENCY = 8;

const readDevices = createPager("push-devices", timeAndId, ({ createdAt, id }: PushDevice) => [createdAt, id]);

export interface PushServiceDeps extends Deps<"db" | "clock" | "ids" | "logger"> {
  readonly keys: EncryptionKeys;
  /** Connects to push services. */
  readonly agent: Agent;
  /** The URL of the dashboard; null if it is only known locally. */
  readonly publicUrl: string | null;
}

export type PushService = ReturnType<typeof createPushService>;

/** Messages to the browsers of people who have asked for them there. A subscription ends with the session that it belongs to. */
export function createPushService({ db, clock, ids, logger, keys, agent, publicUrl }: PushServiceDeps) {
  const stopped = new AbortController();
  const inFlight = new Set<Promise<void>>();
  // Some push services accept no other kinds of URL, and no local name.
  const subject = publicUrl?.startsWith("https:") === true ? publicUrl : "mailto:workspace@example.com";

  async function deliver(target: PushTarget, message: PushMessage): Promise<PushOutcome> {
    const pushKeys = await findOrMakePushKeys({ db, clock, keys });
    const outcome = await deliverPush({ keys: pushKeys, subject, agent, signal: stopped.signal }, target, message);
    if (outcome.kind === "gone") await deleteGonePushSubscription(db.pool, target);
    if (outcome.kind === "failed")
      logger.warn({ reason: outcome.reason, subscription: target.id }, "a push message failed");
    return outcome;
  }

  async function deliverTo(
    userIds: readonly string[] | null,
    message: PushMessage,
    isMeant: (target: PushTarget) => boolean = () => true,
  ): Promise<string[]> {
    const targets = await selectPushTargets(db.pool, { userIds, now: clock.now(), limit: MAX_TARGETS });
    const failed = await mapConcurrently(targets.filter(isMeant), CONCURRENCY, async (target) => {
      const { kind } = await deliver(target, message);
      return kind === "failed" ? [target.id] : [];
    });
    return failed.flat();
  }

  return {
    /** The key that browsers subscribe with. */
    async key(): Promise<{ publicKey: string }> {
      const { publicKey } = await findOrMakePushKeys({ db, clock, keys });
      return { publicKey };
    },

    /** The person's browsers that get messages, newest first. */
    listDevices: ({ userId, sessionId }: SignedInUser, paging: Paging): Promise<Page<PushDevice>> =>
      readDevices(paging, (range) => selectPushDevices(db.pool, { userId, sessionId, now: clock.now() }, range)),

    /**
     * Sends messages to the browser of this session from now on. Throws InvalidInputError if its push service cannot be one,
     * {@link UnauthenticatedError} if the session has just ended.
     */
    async subscribe({ userId, sessionId }: SignedInUser, { endpoint, keys: own }: Subscribe): Promise<{ id: string }> {
      assertPushEndpoint(endpoint);
      const id = await transaction(db.pool, async (client) => {
        const subscription = { id: ids(), sessionId, endpoint, ...own, createdAt: clock.now() };
        const stored = await putPushSubscription(client, subscription);
        await deletePushSubscriptionsBeyond(client, userId, MAX_DEVICES);
        return stored;
      });
      if (id === null) throw new UnauthenticatedError("This session has ended. Sign in again.");
      return { id };
    },

    /** Throws {@link NotFoundError}. */
    async unsubscribe({ userId }: SignedInUser, id: string): Promise<{ deleted: true }> {
      if (!(await deletePushSubscription(db.pool, id, userId))) throw noSuchDevice();
      return { deleted: true };
    },

    /** Sends a message to one of the person's browsers, and returns what its push service said. Throws {@link NotFoundError}. */
    async sendTest({ userId }: SignedInUser, id: string): Promise<PushDelivery> {
      const target = await selectPushTarget(db.pool, { id, userId, now: clock.now() });
      if (target === null) throw noSuchDevice();
      const outcome = await deliver(target, TEST);
      return { isDelivered: outcome.kind === "accepted", reason: reasonOf(outcome) };
    },

    /** Sends a message to the browsers of some users or of all, in the background. */
    send(message: PushMessage, userIds: readonly string[] | null = null): void {
      if (stopped.signal.aborted) return;
      const sent = deliverTo(userIds, message)
        .then(() => undefined)
        .catch((error: unknown) => logger.warn({ err: error }, "push messages could not be sent"))
        .finally(() => inFlight.delete(sent));
      inFlight.add(sent);
    },

    /**
     * Sends a message to the browsers of a user, or to the given ones of them. Returns those that were not reached, but still could be.
     */
    async deliver(message: PushMessage, userId: string, only: readonly string[] = []): Promise<string[]> {
      return deliverTo([userId], message, ({ id }) => only.length === 0 || only.includes(id));
    },

    /** Ends what is being sent. */
    async close(): Promise<void> {
      stopped.abort();
      await Promise.all(inFlight);
      agent.destroy();
    },
  };
}

const TEST: PushMessage = {
  title: "Notifications work",
  body: "Calls that wait for your decision will appear like this.",
  path: "/approvals?view=settings",
  tag: "test",
  ttlS: 60,
};

function reasonOf(outcome: PushOutcome): string | null {
  if (outcome.kind === "gone")
    return "The browser has ended its subscription. Turn notifications off and on again there.";
  return outcome.kind === "failed" ? outcome.reason : null;
}

function noSuchDevice(): NotFoundError {
  return new NotFoundError("There is no such device.");
}
