import { CheckCheck, ShieldX } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useClient } from "../../client/use-client.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { toolLabel } from "../../components/tool-label.ts";
import { formatCount, pluralize } from "../../numbers/number-format.ts";
import { RESOURCES } from "../../resources/resources.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { AuthorLabel } from "../authors/author-label.tsx";
import { AgentNewsRow } from "./agent-news-row.tsx";
import { describeNews } from "./describe-news.ts";
import { HomePart, Rows, ROW } from "./home-part.tsx";
import { ItemLink } from "./item-link.tsx";
import { markNewsRead, type BlockedCall, type News, type NewsItem } from "./news.ts";
import { NewsSummary } from "./news-summary.tsx";

/** So many rows are shown at first, so that what is due is not far below. */
const MAX_ROWS = 6;

/** What happened since the person last read it: changes by others, runs, blocked calls, what was learnt and spent. */
export function NewsSection({ news }: { readonly news: News }) {
  const client = useClient();
  const markRead = () => void markNewsRead(client, news);
  useShortcut("markRead", markRead);
  const { items, totalItems, agents, totalAgents } = news;
  const [isWhole, setWhole] = useState(false);
  const rows = rowsOf(news);
  const more = [
    ...(totalItems > items.length ? [pluralize(totalItems - items.length, "other change")] : []),
    ...(totalAgents > agents.length ? [pluralize(totalAgents - agents.length, "other agent")] : []),
  ];
  return (
    <HomePart
      title={news.isFirst ? "Since you joined" : "Since you were last here"}
      detail={<TimeAgo timestamp={news.since} />}
      actions={
        <Button
          size="small"
          tone="ghost"
          shortcut="markRead"
          icon={<CheckCheck aria-hidden size={14} />}
          onClick={markRead}
        >
          Mark all as read
        </Button>
      }
    >
      <NewsSummary news={news} />
      {rows.length > 0 && <Rows label="What happened">{isWhole ? rows : rows.slice(0, MAX_ROWS)}</Rows>}
      {!isWhole && rows.length > MAX_ROWS && (
        <Button size="small" tone="ghost" className="mt-1" onClick={() => setWhole(true)}>
          Show {formatCount(rows.length - MAX_ROWS)} more
        </Button>
      )}
      {isWhole && more.length > 0 && <p className="mt-2 px-2 text-13 text-muted">And {more.join(" and ")}.</p>}
    </HomePart>
  );
}

/** What concerns the person or went wrong comes first. */
function rowsOf({ items, agents, blockedCalls }: News): ReactNode[] {
  return [
    ...items.filter(({ mentionsYou }) => mentionsYou).map(toRow),
    ...agents.map((agent) => <AgentNewsRow key={agent.agentId} agent={agent} />),
    ...blockedCalls.latest.map((call) => <BlockedRow key={call.id} call={call} />),
    ...items.filter(({ mentionsYou }) => !mentionsYou).map(toRow),
  ];
}

function toRow(item: NewsItem) {
  return <ItemRow key={`${item.kind} ${item.id}`} item={item} />;
}

function BlockedRow({ call: { sessionId, toolName, reason, at } }: { readonly call: BlockedCall }) {
  const href = sessionId === null ? "/hooks?blocked=1" : `/hooks/sessions/${encodeURIComponent(sessionId)}`;
  return (
    <li className={ROW}>
      <ShieldX role="img" aria-label="Blocked" size={16} className="shrink-0 self-start text-danger" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <ItemLink href={href} className="min-w-0 truncate font-medium text-strong">
          {toolName === null ? "A call" : toolLabel(toolName)} was blocked
        </ItemLink>
        {reason !== null && <span className="line-clamp-2 [overflow-wrap:anywhere] text-muted">{reason}</span>}
      </div>
      <span className="shrink-0 self-start text-12 text-muted">
        <TimeAgo timestamp={at} />
      </span>
    </li>
  );
}

function ItemRow({ item }: { readonly item: NewsItem }) {
  const { kind, id, title, url, author, comment, mentionsYou, at } = item;
  const Icon = RESOURCES[kind].icon;
  return (
    <li className={ROW}>
      <Icon role="img" aria-label={RESOURCES[kind].label} size={16} className="shrink-0 self-start text-muted" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex min-w-0 items-center gap-2">
          <ItemLink
            href={url}
            taskId={kind === "task" ? id : undefined}
            className="min-w-0 truncate font-medium text-strong"
          >
            {title === "" ? "Untitled" : title}
          </ItemLink>
          {mentionsYou && <Badge tone="info">Mentions you</Badge>}
        </span>
        <span className="truncate text-muted">
          {describeNews(item)}
          {author !== null && (
            <>
              {" by "}
              <AuthorLabel author={author} />
            </>
          )}
        </span>
        {comment !== null && <span className="line-clamp-2 [overflow-wrap:anywhere] text-normal">“{comment}”</span>}
      </div>
      <span className="shrink-0 self-start text-12 text-muted">
        <TimeAgo timestamp={at} />
      </span>
    </li>
  );
}
