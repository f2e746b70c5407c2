import { useQuery } from "@tanstack/react-query";
import { RotateCcw, SkipForward } from "lucide-react";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { Badge, type BadgeTone } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { LoadedSettings } from "../hooks/project-settings.tsx";
import { useWebhookAction } from "./use-webhook-action.ts";
import { deliveriesQuery, type Delivery, type Webhook } from "./webhook.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_DAYS = 7;
const TONES: Readonly<Record<Delivery["status"], BadgeTone>> = {
  pending: "warning",
  delivered: "success",
  failed: "danger",
};

/** What was sent to a webhook lately, what came of it, and how to send it again. */
export default function WebhookDeliveries({ webhook }: { readonly webhook: Webhook }) {
  const client = useClient();
  const query = useQuery({ ...deliveriesQuery(client, webhook.id), select: ({ data }) => data });
  const { busyWith, act } = useWebhookAction();
  const replayAll = () =>
    act("all", "Not replayed", async () => {
      const since = new Date(Date.now() - KEPT_DAYS * DAY_MS).toISOString();
      const { data } = await client.api.webhooks.replayFailed.mutate({ id: webhook.id, since });
      return data.replayed === 1 ? "One delivery is sent again" : `${data.replayed} deliveries are sent again`;
    });
  return (
    <LoadedSettings query={query}>
      {(deliveries) =>
        deliveries.length === 0 ? (
          <p className="text-13 text-muted">Nothing has been sent yet.</p>
        ) : (
          <div className="flex flex-col gap-2">
            <ul
              aria-label={`Deliveries to ${webhook.name}`}
              className="flex flex-col rounded-control border border-border"
            >
              {deliveries.map((delivery) => (
                <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} />
              ))}
            </ul>
            <div className="flex flex-wrap items-center gap-2">
              {webhook.isEnabled && deliveries.some(({ status }) => status === "failed") && (
                <Button size="small" isBusy={busyWith === "all"} onClick={() => void replayAll()}>
                  Replay all that failed
                </Button>
              )}
              <span className="text-12 text-muted">The latest 50. They are kept for {KEPT_DAYS} days.</span>
            </div>
          </div>
        )
      }
    </LoadedSettings>
  );
}

function DeliveryRow({ webhook, delivery }: { readonly webhook: Webhook; readonly delivery: Delivery }) {
  const { type, resourceName, occurredAt, status, attempts, responseStatus } = delivery;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className="border-b border-border last:border-b-0">
      <button
        type="button"
        aria-expanded={isOpen}
        className="flex w-full min-w-0 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-left text-13 hover:underline"
        onClick={() => setIsOpen(!isOpen)}
      >
        <span className="font-mono text-12 text-strong">{type}</span>
        <span className="min-w-0 flex-1 truncate text-normal">{resourceName}</span>
        {attempts > 1 && <span className="text-12 text-muted">{attempts} attempts</span>}
        <Badge tone={TONES[status]}>{responseStatus === null ? status : `${status} · ${responseStatus}`}</Badge>
        <span className="text-12 text-muted">
          <TimeAgo timestamp={occurredAt} />
        </span>
      </button>
      {isOpen && <DeliveryDetails webhook={webhook} delivery={delivery} />}
    </li>
  );
}

function DeliveryDetails({ webhook, delivery }: { readonly webhook: Webhook; readonly delivery: Delivery }) {
  const client = useClient();
  const ids = { id: webhook.id, deliveryId: delivery.id };
  const { data } = useQuery({ ...trpc(client).webhooks.delivery.queryOptions(ids), select: (output) => output.data });
  const { busyWith, act } = useWebhookAction();
  const replay = () =>
    act("replay", "Not replayed", async () => {
      await client.api.webhooks.replay.mutate(ids);
      return "It is sent again";
    });
  const skip = () =>
    act("skip", "Not skipped", async () => {
      await client.api.webhooks.skip.mutate(ids);
      return "It is skipped";
    });
  return (
    <div className="flex flex-col gap-2 px-3 pb-3 text-13">
      {delivery.problem !== null && <p className="text-danger">{delivery.problem}</p>}
      <Text label="Sent" text={pretty(data?.body ?? null)} />
      <Text label="Response" text={delivery.responseText} />
      <div className="flex flex-wrap gap-2">
        {webhook.isEnabled && (
          <Button
            size="small"
            icon={<RotateCcw aria-hidden size={14} />}
            isBusy={busyWith === "replay"}
            onClick={() => void replay()}
          >
            {delivery.status === "pending" ? "Try now" : "Replay"}
          </Button>
        )}
        {delivery.status === "pending" && (
          <Button
            size="small"
            icon={<SkipForward aria-hidden size={14} />}
            isBusy={busyWith === "skip"}
            onClick={() => void skip()}
          >
            Skip
          </Button>
        )}
      </div>
    </div>
  );
}

function Text({ label, text }: { readonly label: string; readonly text: string | null }) {
  if (text === null || text === "") return null;
  return (
    <div>
      <p className="text-12 text-muted">{label}</p>
      <pre
        tabIndex={0}
        aria-label={label}
        className="max-h-60 overflow-auto rounded-control border border-border bg-surface p-2 font-mono text-12 whitespace-pre-wrap break-words text-strong"
      >
        {text}
      </pre>
    </div>
  );
}

function pretty(body: string | null): string | null {
  if (body === null) return null;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
