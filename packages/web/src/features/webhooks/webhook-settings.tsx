import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { Suspense, useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { LoadedSettings } from "../hooks/project-settings.tsx";
import { refresh, webhooksQuery, type CreatedWebhook, type Webhook } from "./webhook.ts";
import { WebhookRow } from "./webhook-row.tsx";

const WebhookDialog = lazyPart(() => import("./webhook-dialog.tsx"));

/** The URLs to which the person's events are sent, and what has been sent. */
export default function WebhookSettings() {
  const client = useClient();
  const query = useQuery({ ...webhooksQuery(client), select: ({ data }) => data });
  const [edited, setEdited] = useState<Webhook | "new" | null>(null);
  const [deleted, setDeleted] = useState<Webhook | null>(null);
  const [shown, setShown] = useState<CreatedWebhook | null>(null);
  return (
    <section aria-labelledby="webhooks" className="flex flex-col gap-3">
      <header className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-60 flex-1">
          <h2 id="webhooks" className="text-16 font-semibold text-strong">
            Webhooks
          </h2>
          <p className="text-pretty text-normal">
            Another program gets a signed request when something happens here, with what the API returns for it. What
            fails is repeated for more than a day.
          </p>
        </div>
        <Button
          size="small"
          tone="primary"
          icon={<Plus aria-hidden size={14} />}
          aria-haspopup="dialog"
          onClick={() => setEdited("new")}
        >
          New webhook
        </Button>
      </header>
      {shown !== null && <Secret webhook={shown} onDone={() => setShown(null)} />}
      <LoadedSettings query={query}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <p className="text-13 text-muted">No webhooks yet.</p>
          ) : (
            <ul aria-label="Webhooks" className="flex flex-col rounded-panel border border-border px-4">
              {webhooks.map((webhook) => (
                <WebhookRow
                  key={webhook.id}
                  webhook={webhook}
                  onEdit={() => setEdited(webhook)}
                  onDelete={() => setDeleted(webhook)}
                  onSecret={setShown}
                />
              ))}
            </ul>
          )
        }
      </LoadedSettings>
      <Suspense>
        {edited !== null && (
          <WebhookDialog
            webhook={edited === "new" ? null : edited}
            onCreated={setShown}
            onClose={() => setEdited(null)}
          />
        )}
      </Suspense>
      {deleted !== null && <DeleteDialog webhook={deleted} onClose={() => setDeleted(null)} />}
    </section>
  );
}

/** A secret that was just made. It is shown only here, until the user confirms having saved it. */
function Secret({ webhook, onDone }: { readonly webhook: CreatedWebhook; readonly onDone: () => void }) {
  return (
    <section aria-label="The new secret" className="flex flex-col gap-2 rounded-control bg-accent-soft p-3">
      <p role="status" className="text-strong">
        The receiver of “{webhook.name}” verifies signatures with this secret.{" "}
        <strong className="font-semibold">Copy it now: it will not be shown again.</strong>
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 rounded-control border border-border bg-surface px-2 py-1 font-mono text-12 break-all text-strong select-all">
          {webhook.secret}
        </code>
        <CopyButton text={webhook.secret} what="the secret" />
        <Button size="small" className="ml-auto" onClick={onDone}>
          I have saved it
        </Button>
      </div>
    </section>
  );
}

function DeleteDialog({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const client = useClient();
  return (
    <ConfirmDialog
      title={`Delete “${webhook.name}”?`}
      description="Nothing more is sent to it, and the record of what was sent is deleted."
      confirmLabel="Delete webhook"
      failure="Not deleted."
      onConfirm={async () => {
        await client.api.webhooks.delete.mutate({ id: webhook.id }).catch((error: unknown) => {
          throw toRequestError(error);
        });
        await refresh(client);
        onClose();
      }}
      onClose={onClose}
    />
  );
}
