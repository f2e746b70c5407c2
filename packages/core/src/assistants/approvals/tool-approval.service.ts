import type { PushMessage } from "../../access/push/push-delivery.ts";
import { transaction, type Listener } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, NotFoundError, OverloadedError } from "../../platform/errors.ts";
import { createNotifiedWaits } from "../../platform/notified-waits.ts";
import { createPager, timeAndId, type Page } from "../../platform/paging.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { insertToolAllowance } from "./tool-allowance.queries.ts";
import { createToolAllowances, type ApprovalAnnouncer } from "./tool-allowances.ts";
import { MAX_PUSHED_CALL, MAX_PUSHED_TEXT, shortened } from "../../access/push/pushed-text.ts";
import { assistantName } from "../assistant-names.ts";
import {
  deleteToolApprovalsBefore,
  endToolApproval,
  insertToolApproval,
  selectToolApprovals,
  selectToolApprovalEnd,
  selectToolDecision,
  type StoredDecision,
} from "./tool-approval.queries.ts";
import type {
  DecideToolApproval,
  ListToolApprovals,
  RequestToolApproval,
  ToolApproval,
  ToolDecision,
} from "./tool-approval.schema.ts";

/** How long one request of a hook is held; the hook repeats it. Proxies give up on slower responses. */
const MAX_HOLD_MS = 20_000;
/** Nobody decides about more, and each holds a connection. */
const MAX_OPEN = 100;
/** Notifies all processes, by id, that a request has ended. */
const CHANNEL = "workspace_tool_approval";
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

const readApprovals = createPager("tool-approvals", timeAndId, ({ createdAt, id }: ToolApproval) => [createdAt, id]);

export interface ToolApprovalServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  readonly listener: Listener;
  /** Finds the values of secrets, which are neither stored nor shown. */
  readonly redactor: Redactor;
  /** Sends a message to the devices of the people who decide. */
  readonly notify: (message: PushMessage) => void;
}

export type ToolApprovalService = ReturnType<typeof createToolApprovalService>;

/**
 * Calls of tools about which hooks ask a person. A request is decided at most once, and only while it is open; whatever else happens
 * is no decision, and the hook leaves the question to the assistant.
 */
export function createToolApprovalService(deps: ToolApprovalServiceDeps) {
  const { db, listener, clock, ids, events, redactor, notify } = deps;
  const waits = createNotifiedWaits({ db, listener, clock, channel: CHANNEL });
  const announce: ApprovalAnnouncer = (id, action, toolName) =>
    events.publish({ resource: "approval", action, resourceId: id, resourceName: toolName });

  async function open({ timeoutMs, ...input }: RequestToolApproval): Promise<void> {
    const seen = [input.toolName, input.call, input.effect, input.diff ?? ""];
    if (seen.some((text) => redactor.redact(text) !== text))
      throw new ConflictError("The call contains a secret, so nobody would see all of it here.");
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + timeoutMs);
    if (!(await insertToolApproval(db.pool, { ...input, createdAt: now, expiresAt, maxOpen: MAX_OPEN }))) return;
    announce(input.id, "create", input.toolName);
    notify(toPushMessage(input, timeoutMs));
  }

  async function whyNotOpen(id: string): Promise<ConflictError | NotFoundError> {
    const end = await selectToolApprovalEnd(db.pool, id);
    return end === null ? noSuchApproval() : new ConflictError(describeEnd(end));
  }

  return {
    ...createToolAllowances({ db, announce }),

    /**
     * Asks, unless this was asked before, and waits for the decision for a while. Idempotent by `id`. Throws
     * {@link ConflictError} if the id is that of another call, or if the call contains a secret: what is hidden would run too;
     * {@link OverloadedError} if too many are open.
     */
    async request(input: RequestToolApproval): Promise<ToolDecision> {
      await open(input);
      const read = () => selectToolDecision(db.pool, input.id);
      const decision = await waits.wait(input.id, MAX_HOLD_MS, read, openUntil);
      if (decision === null) throw new OverloadedError("Too many calls wait for a decision.");
      if (decision.digest !== input.digest) throw new ConflictError("This id belongs to another call.");
      return decision;
    },

    /** For a hook that does not wait any longer. Returns the decision that came before, if there is one. */
    async withdraw(id: string): Promise<ToolDecision> {
      const end = { outcome: "withdrawn", at: clock.now(), userId: null, note: null } as const;
      const ended = await endToolApproval(db.pool, id, end);
      if (ended !== null) announce(id, "edit", ended.toolName);
      const decision = await selectToolDecision(db.pool, id);
      if (decision === null) throw noSuchApproval();
      return decision;
    },

    /**
     * Decides about a call; the first decision counts. Throws {@link ConflictError} if it is not open any more,
     * {@link NotFoundError}.
     */
    async decide({ id, decision, note }: DecideToolApproval, userId: string): Promise<ToolDecision> {
      const at = clock.now();
      const ended = await transaction(db.pool, async (client) => {
        const end = { outcome: decision, at, userId, note: note === undefined || note === "" ? null : note };
        const approval = await endToolApproval(client, id, end);
        if (approval !== null && decision === "allowed_here")
          await insertToolAllowance(client, { id: ids(), ...approval, createdAt: at });
        return approval;
      });
      if (ended === null) throw await whyNotOpen(id);
      const stored = await selectToolDecision(db.pool, id);
      if (stored === null) throw noSuchApproval();
      await waits.wake(id);
      announce(id, "edit", ended.toolName);
      return stored;
    },

    /** Newest first. */
    list({ open: isOpen, limit, cursor }: ListToolApprovals): Promise<Page<ToolApproval>> {
      const search = { open: isOpen, now: clock.now() };
      return readApprovals({ limit, cursor, filter: { open: isOpen } }, (range) =>
        selectToolApprovals(db.pool, search, range),
      );
    },

    /** Waits from here on are woken by decisions made through other processes. */
    start: waits.start,

    /** Ends all waits, so that hooks ask again elsewhere. */
    close: waits.close,

    deleteOld: () => deleteToolApprovalsBefore(db.pool, new Date(clock.now().getTime() - KEPT_MS)),
  };
}

const DONE = {
  allowed_once: "allowed this call",
  allowed_here: "allowed this call from now on",
  denied: "denied this call",
};

function describeEnd({ outcome, decidedBy }: NonNullable<Awaited<ReturnType<typeof selectToolApprovalEnd>>>): string {
  if (outcome === null) return "Nobody answered in time, so this call was left to the assistant.";
  if (outcome === "withdrawn") return "The assistant does not wait for this call any more.";
  return `${decidedBy ?? "Somebody"} has already ${DONE[outcome]}.`;
}

/** Until when a request may be decided. */
function openUntil(decision: StoredDecision | null): number {
  return decision === null || decision.outcome !== null ? 0 : Date.parse(decision.expiresAt);
}

/** What a device shows about a call: its beginning, without secrets. The page shows all of it. */
function toPushMessage(
  { id, harness, toolName, call, project }: Omit<RequestToolApproval, "timeoutMs">,
  forMs: number,
) {
  return {
    title: shortened(call, MAX_PUSHED_CALL),
    body: shortened(`${toolName} of ${assistantName(harness)} in ${project} waits for your decision.`, MAX_PUSHED_TEXT),
    path: `/approvals?call=${id}`,
    tag: id,
    ttlS: Math.ceil(forMs / 1_000),
  };
}

function noSuchApproval(): NotFoundError {
  return new NotFoundError("There is no such request.");
}
