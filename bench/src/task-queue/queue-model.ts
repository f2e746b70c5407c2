/** A claim as its agent knows it. */
interface KnownClaim {
  readonly agent: number;
  /** By the server's clock, which is this machine's. */
  untilMs: number;
}

/** A task as it is at the beginning. */
export interface SeededTask {
  readonly id: string;
  /** The tasks that must be done before. */
  readonly blockers: readonly string[];
  readonly parentId: string | null;
  /** By the server's clock; 0 if it is not snoozed. */
  readonly snoozedUntilMs: number;
}

/**
 * What the answers of the service allow to be true. Agents report what they were told, and what they sent without learning the outcome;
 * a claim that contradicts it is a violation.
 */
export class QueueModel {
  readonly doubleClaims: string[] = [];
  readonly blockedClaims: string[] = [];
  readonly snoozedClaims: string[] = [];
  /** How long after its lease had ended each abandoned task was claimed again, in milliseconds. */
  readonly reclaimDelaysMs: number[] = [];
  /** The same of tasks for which an agent may have been given a lease in between, without having been told. */
  readonly untoldDelaysMs: number[] = [];
  readonly #waits: ReadonlyMap<string, readonly string[]>;
  readonly #snoozes: ReadonlyMap<string, number>;
  readonly #claims = new Map<string, KnownClaim>();
  readonly #done = new Set<string>();
  /** Sent as done, without an answer. */
  readonly #maybeDone = new Set<string>();
  readonly #lostClaimsMs: number[] = [];
  readonly #leaseMs: number;

  constructor(tasks: readonly SeededTask[], { leaseMs }: { readonly leaseMs: number }) {
    this.#leaseMs = leaseMs;
    const byId = new Map(tasks.map((task) => [task.id, task]));
    const waits = new Map(tasks.map(({ id, blockers }) => [id, [...blockers]]));
    for (const { id, parentId } of tasks) {
      if (parentId !== null) waits.get(parentId)?.push(id);
      // A subtask waits for whatever the tasks above it wait for, except their subtasks.
      for (let above = byId.get(parentId ?? ""); above !== undefined; above = byId.get(above.parentId ?? ""))
        waits.get(id)?.push(...above.blockers);
    }
    this.#waits = waits;
    this.#snoozes = new Map(tasks.map(({ id, snoozedUntilMs }) => [id, snoozedUntilMs]));
  }

  get doneCount(): number {
    return this.#done.size;
  }

  /** An agent was given a task; the request was sent at `sentMs`. */
  claim(task: string, agent: number, { sentMs, untilMs }: { sentMs: number; untilMs: number }): void {
    const before = this.#claims.get(task);
    if (before !== undefined) {
      // The holder's lease may have ended while the request was on its way.
      if (before.untilMs > Date.now()) this.doubleClaims.push(`${task}: ${before.agent} and ${agent}`);
      else this.#recordDelay(sentMs, before.untilMs);
    }
    if (this.#done.has(task)) this.doubleClaims.push(`${task} was done, then claimed by ${agent}`);
    // The answer came before the task was due to come back, so it was given before.
    if (Date.now() < (this.#snoozes.get(task) ?? 0)) this.snoozedClaims.push(`${task} is snoozed, claimed by ${agent}`);
    const open = (this.#waits.get(task) ?? []).filter((id) => !this.#done.has(id) && !this.#maybeDone.has(id));
    if (open.length > 0) this.blockedClaims.push(`${task} waits for ${open.join(", ")}`);
    this.#claims.set(task, { agent, untilMs });
  }

  /** A claim has had no answer, because its service was killed: it may have taken any task. */
  loseClaim(sentMs: number): void {
    this.#lostClaimsMs.push(sentMs);
  }

  #recordDelay(sentMs: number, untilMs: number): void {
    const delayMs = Math.max(0, sentMs - untilMs);
    const isUntold =
      delayMs >= this.#leaseMs &&
      this.#lostClaimsMs.some((lostMs) => lostMs < sentMs - this.#leaseMs + 1_000 && lostMs > untilMs - 1_000);
    (isUntold ? this.untoldDelaysMs : this.reclaimDelaysMs).push(delayMs);
  }

  /** The lease of a task was extended. */
  renew(task: string, untilMs: number): void {
    const claim = this.#claims.get(task);
    if (claim !== undefined) claim.untilMs = untilMs;
  }

  /** Called before a request that ends a claim is sent: from then on others may have the task. */
  end(task: string, isDone: boolean): void {
    this.#claims.delete(task);
    if (isDone) this.#maybeDone.add(task);
  }

  /** The service has acknowledged that a task is done. */
  finish(task: string): void {
    this.#done.add(task);
  }
}
