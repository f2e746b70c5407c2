import { ChevronDown, Send } from "lucide-react";
import { Suspense, useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { formatDueDate } from "../../dates/date-format.ts";
import { useToday } from "../../dates/use-now.ts";
import { useWebhookAction } from "./use-webhook-action.ts";
import { describeEvents } from "./webhook-events.ts";
import type { CreatedWebhook, Webhook } from "./webhook.ts";

const WebhookDeliveries = lazyPart(() => import("./webhook-deliveries.tsx"));

interface WebhookRowProps {
  readonly webhook: Webhook;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  readonly onSecret: (renewed: CreatedWebhook) => void;
}

/** A webhook: what is sent where, whether it works, and what can be done with it. */
export function WebhookRow({ webhook, onEdit, onDelete, onSecret }: WebhookRowProps) {
  const client = useClient();
  const { id, name, url, events, isEnabled, disabledReason, apiKey, pending, nextAttemptAt } = webhook;
  const [isOpen, setIsOpen] = useState(false);
  const { busyWith, act } = useWebhookAction();
  const today = useToday();
  const test = () =>
    act("test", "The test could not be sent", async () => {
      const { data } = await client.api.webhooks.test.mutate({ id });
      setIsOpen(true);
      return data.status === "delivered"
        ? `The receiver has accepted the test (${data.responseStatus})`
        : `The test failed. ${data.problem ?? ""}`;
    });
  const toggle = () =>
    act("toggle", "Not changed", async () => {
      await client.api.webhooks.update.mutate({ id, isEnabled: !isEnabled });
      return isEnabled ? `“${name}” is off` : `“${name}” is on`;
    });
  const renew = () =>
    act("secret", "The secret was not replaced", async () => {
      onSecret((await client.api.webhooks.renewSecret.mutate({ id })).data);
      return "The former secret is not used any more";
    });
  return (
    <li aria-label={name} className="flex flex-col gap-2 border-b border-border py-3 last:border-b-0">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 truncate font-medium text-strong">{name}</span>
        <Badge tone={isEnabled ? (nextAttemptAt === null ? "success" : "warning") : "neutral"}>
          {isEnabled ? (nextAttemptAt === null ? "On" : "Failing") : "Off"}
        </Badge>
        {apiKey !== null && <Badge>Key {apiKey.name}</Badge>}
        <span className="w-full min-w-0 truncate font-mono text-12 text-normal">{url}</span>
        <span className="w-full text-12 text-muted">{describeEvents(events)}</span>
      </div>
      {disabledReason !== null && <FormAlert tone="danger">Turned off. {disabledReason}</FormAlert>}
      {nextAttemptAt !== null && (
        <p className="text-13 text-warning">
          {pending === 1 ? "One delivery waits" : `${pending} deliveries wait`}. The next attempt:{" "}
          <time dateTime={nextAttemptAt}>{formatDueDate(nextAttemptAt, today)}</time>.
        </p>
      )}
      <div className="flex flex-wrap gap-1">
        <Button
          size="small"
          icon={<Send aria-hidden size={14} />}
          isBusy={busyWith === "test"}
          onClick={() => void test()}
        >
          Send test
        </Button>
        <Button
          size="small"
          tone="ghost"
          aria-expanded={isOpen}
          icon={<ChevronDown aria-hidden size={14} className={isOpen ? "rotate-180" : ""} />}
          onClick={() => setIsOpen(!isOpen)}
        >
          Deliveries
        </Button>
        <Button size="small" tone="ghost" aria-haspopup="dialog" onClick={onEdit}>
          Change
        </Button>
        <Button size="small" tone="ghost" isBusy={busyWith === "toggle"} onClick={() => void toggle()}>
          {isEnabled ? "Turn off" : "Turn on"}
        </Button>
        <Button size="small" tone="ghost" isBusy={busyWith === "secret"} onClick={() => void renew()}>
          New secret
        </Button>
        <Button size="small" tone="danger" aria-haspopup="dialog" onClick={onDelete}>
          Delete
        </Button>
      </div>
      {isOpen && (
        <Suspense>
          <WebhookDeliveries webhook={webhook} />
        </Suspense>
      )}
    </li>
  );
}
