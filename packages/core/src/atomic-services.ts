import { poolWithin, transaction, type PoolClient } from "@workspace/db";
import { createWebhookDeliveryService } from "./access/webhooks/webhook-delivery.service.ts";
import type { WebhookDelivererDeps } from "./access/webhooks/webhook-deliverer.ts";
import type { WebhookDispatcher } from "./access/webhooks/webhook-dispatcher.ts";
import { createWebhookService } from "./access/webhooks/webhook.service.ts";
import type { PushService } from "./access/push/push.service.ts";
import { createMemoryService, type MemoryServiceDeps } from "./assistants/memory/memory.service.ts";
import type { Deps } from "./platform/deps.ts";
import type { RoutedOperation } from "./platform/procedures/capability.ts";
import { createTaskServices, type TaskServicesDeps } from "./task-services.ts";
import { createProjectService } from "./work/projects/project.service.ts";

/** The domains whose procedures change nothing but the database, and that by the services which {@link atomicallyWith} builds. */
const ATOMIC_DOMAINS: readonly string[] = ["tasks", "taskViews", "projects", "memory", "webhooks"];
/** Those of them that wait for somebody else meanwhile. */
const WAITING_PROCEDURES: readonly string[] = ["webhooks.test"];

/**
 * What a request with an `Idempotency-Key` means for an operation: `atomic` if all that it changes is changed in one transaction,
 * `recorded` if the request is recorded before it is carried out, `own` if the procedure recognises repeats itself. Null if the key
 * means nothing, because it changes nothing or is not a POST.
 */
export function repeatsOf({
  name,
  effect,
  route,
}: Pick<RoutedOperation<never>, "name" | "effect" | "route">): "atomic" | "recorded" | "own" | null {
  if (route.method !== "POST" || effect === "reads") return null;
  if (route.recognisesRepeats === true) return "own";
  const isAtomic = ATOMIC_DOMAINS.includes(name.split(".")[0] ?? "") && !WAITING_PROCEDURES.includes(name);
  return isAtomic ? "atomic" : "recorded";
}

type SharedDeps = Omit<TaskServicesDeps, "notify" | "deliverPush"> &
  MemoryServiceDeps &
  Omit<WebhookDelivererDeps, "signal" | "notify" | "readResource"> &
  Deps<"ids"> & {
    readonly push: Pick<PushService, "send" | "deliver">;
    readonly webhookDispatcher: Pick<WebhookDispatcher, "wake">;
  };

export type AtomicServices = ReturnType<typeof createAtomicServices>;

/** Runs work in one transaction. What it would announce is announced after the commit, and never if it fails. */
export function atomicallyWith(deps: SharedDeps) {
  return async <Result>(work: (services: AtomicServices, client: PoolClient) => Promise<Result>): Promise<Result> => {
    const announcements: (() => void)[] = [];
    const result = await transaction(deps.db.pool, (client) =>
      work(
        createAtomicServices(deps, client, (announce) => announcements.push(announce)),
        client,
      ),
    );
    for (const announce of announcements) announce();
    return result;
  };
}

function createAtomicServices(
  { push, webhookDispatcher, ...deps }: SharedDeps,
  client: PoolClient,
  afterCommit: (announce: () => void) => void,
) {
  const within = {
    ...deps,
    db: { pool: poolWithin(client), close: () => Promise.resolve() },
    events: { ...deps.events, publish: (change) => afterCommit(() => deps.events.publish(change)) },
    notify: (...message) => afterCommit(() => push.send(...message)),
    deliverPush: push.deliver,
    dispatcher: { wake: () => afterCommit(webhookDispatcher.wake) },
  } satisfies TaskServicesDeps & { dispatcher: unknown };
  return {
    ...createTaskServices(within),
    projects: createProjectService(within),
    memory: createMemoryService(within),
    webhooks: createWebhookService(within),
    webhookDeliveries: createWebhookDeliveryService(within),
  };
}
