import { useQuery } from "@tanstack/react-query";
import { CalendarPlus, KeyRound } from "lucide-react";
import { Suspense, useState, type ReactNode } from "react";
import { publicUrlOf } from "../../browser/base-path.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { ErrorState, Skeleton } from "../../components/states.tsx";
import { calendarFeedsQuery, type CalendarFeed, type CreatedCalendarFeed } from "./calendar-feed.ts";
import { CalendarFeedRow } from "./calendar-feed-row.tsx";

const NewFeedDialog = lazyPart(() => import("./new-feed-dialog.tsx"));
const RevokeFeedDialog = lazyPart(() => import("./revoke-feed-dialog.tsx"));

/** How calendar programs get the tasks: by subscribing to a feed, or by CalDAV, which also writes. */
export default function CalendarsView({ onCreateKey }: { readonly onCreateKey: () => void }) {
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<CreatedCalendarFeed | null>(null);
  const [revoked, setRevoked] = useState<CalendarFeed | null>(null);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-220 flex-col gap-4 p-4 md:p-6">
        <Card
          title="Subscribe to tasks"
          purpose="A calendar program shows the tasks that are due. Whoever has the address can read them, so each program gets its own, and you can revoke it."
          action={
            <Button
              size="small"
              tone="primary"
              icon={<CalendarPlus aria-hidden size={14} />}
              aria-haspopup="dialog"
              onClick={() => setIsCreating(true)}
            >
              New feed
            </Button>
          }
        >
          {created !== null && <CreatedFeed created={created} onDone={() => setCreated(null)} />}
          <Feeds onRevoke={setRevoked} />
        </Card>
        <Card
          title="Tasks in both directions"
          purpose="Thunderbird, Apple Reminders, and DAVx5 with Tasks.org read and write tasks by CalDAV: each project is a list."
          action={
            <Button size="small" icon={<KeyRound aria-hidden size={14} />} aria-haspopup="dialog" onClick={onCreateKey}>
              Create a key<span className="sr-only"> for CalDAV</span>
            </Button>
          }
        >
          <dl className="grid gap-x-6 gap-y-2 text-13 md:grid-cols-[auto_1fr]">
            <dt className="text-muted">Server</dt>
            <dd className="flex min-w-0 flex-wrap items-center gap-2">
              <Code>{caldavUrl()}</Code>
              <CopyButton text={caldavUrl()} what="the CalDAV address" />
            </dd>
            <dt className="text-muted">User name</dt>
            <dd>Any, such as your email address</dd>
            <dt className="text-muted">Password</dt>
            <dd>An API key with tasks:read, and tasks:write for changes</dd>
          </dl>
          <p className="text-12 text-pretty text-muted">
            Programs on other devices need HTTPS. In Apple Reminders, add an account of the kind CalDAV under Calendar
            accounts; in Thunderbird, a new calendar on the network.
          </p>
        </Card>
      </div>
      <Suspense>
        {isCreating && <NewFeedDialog onCreated={setCreated} onClose={() => setIsCreating(false)} />}
        {revoked !== null && <RevokeFeedDialog feed={revoked} onClose={() => setRevoked(null)} />}
      </Suspense>
    </div>
  );
}

function caldavUrl(): string {
  return publicUrlOf("/caldav/");
}

function Feeds({ onRevoke }: { readonly onRevoke: (feed: CalendarFeed) => void }) {
  const { data: feeds, error, refetch } = useQuery(calendarFeedsQuery(useClient()));
  if (feeds === undefined && error !== null)
    return <ErrorState title="The feeds could not be loaded" error={error} onRetry={() => void refetch()} />;
  if (feeds === undefined) return <Skeleton className="h-12" />;
  if (feeds.length === 0) return <p className="text-13 text-muted">No feeds yet.</p>;
  return (
    <ul aria-label="Calendar feeds" className="-mx-4 -mb-4 border-t border-border">
      {feeds.map((feed) => (
        <CalendarFeedRow key={feed.id} feed={feed} onRevoke={() => onRevoke(feed)} />
      ))}
    </ul>
  );
}

/** The address of the feed that was just created. It is shown only here, until the user confirms having saved it. */
function CreatedFeed({ created, onDone }: { readonly created: CreatedCalendarFeed; readonly onDone: () => void }) {
  const url = publicUrlOf(created.path);
  return (
    <section aria-label="The new feed" className="flex flex-col gap-2 rounded-control bg-accent-soft p-3">
      <p role="status" className="text-strong">
        The feed “{created.name}” has been created.{" "}
        <strong className="font-semibold">Copy its address now: it will not be shown again.</strong>
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Code>{url}</Code>
        <CopyButton text={url} what="the address of the feed" />
        <a
          href={url.replace(/^https?:/, "webcal:")}
          className="rounded-control px-2 py-1 text-13 font-medium text-accent-text hover:underline"
        >
          Open in a calendar program
        </a>
        <Button size="small" className="ml-auto" onClick={onDone}>
          I have saved it
        </Button>
      </div>
    </section>
  );
}

interface CardProps {
  readonly title: string;
  readonly purpose: string;
  readonly action: ReactNode;
  readonly children: ReactNode;
}

function Card({ title, purpose, action, children }: CardProps) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-4 rounded-panel border border-border p-4">
      <header className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-60 flex-1">
          <h2 className="text-14 font-semibold text-strong">{title}</h2>
          <p className="text-13 text-pretty text-muted">{purpose}</p>
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}

function Code({ children }: { readonly children: string }) {
  return (
    <code className="min-w-0 rounded-control border border-border bg-surface px-2 py-1 font-mono text-12 break-all text-strong select-all">
      {children}
    </code>
  );
}
