import { useNavigate } from "@tanstack/react-router";
import { Copy, Link2, PanelRight, SquareTerminal } from "lucide-react";
import { useCallback, useMemo } from "react";
import type { Outputs } from "../../api/api.ts";
import { usePagedRows } from "../../api/use-paged-rows.ts";
import { publicUrlOf } from "../../browser/base-path.ts";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { copyWithToast } from "../../components/copy-with-toast.ts";
import { assistantName } from "@workspace/core/assistant-names";
import { floating, type PopupAnchor } from "../../components/floating.ts";
import { TimeAgo } from "../../components/time-ago.tsx";
import { ListRow } from "../../lists/list-row.tsx";
import { ResourceList, type RowPosition } from "../../lists/resource-list.tsx";
import { formatMoney, formatTokens, pluralize } from "../../numbers/number-format.ts";
import { SHORTCUT_KEYS } from "../../shortcuts/shortcut-keys.ts";
import { NoEvents } from "./hook-timeline-list.tsx";
import { shortSessionId } from "./hook-event.ts";

type ListedSession = Outputs["session"]["list"]["data"][number];

const ROW_PX = 60;
const PAGE_SIZE = 30;
/** Events arrive many times a second, and each changes the order. */
const REFETCH_MS = 5_000;
const idOf = ({ sessionId }: ListedSession) => sessionId;
const heightOf = () => ROW_PX;

/** The sessions of assistants, named by what they were asked first, those that did something last first. */
export default function SessionList() {
  const client = useClient();
  const navigate = useNavigate();
  const state = usePagedRows<ListedSession>({
    queryKey: ["sessions"],
    readPage: (cursor, signal) => client.api.session.list.query({ limit: PAGE_SIZE, cursor }, { signal }),
    staleTime: 0,
    refetchInterval: () => REFETCH_MS,
  });
  const open = useCallback(
    (sessionId: string) => void navigate({ to: "/hooks/sessions/$sessionId", params: { sessionId } }),
    [navigate],
  );
  const panel = useMemo(() => ({ openId: undefined, open }), [open]);
  return (
    <ResourceList
      label="Sessions"
      state={{ ...state, rows: state.rows.map((session) => ({ ...session, id: session.sessionId })) }}
      idOf={idOf}
      heightOf={heightOf}
      panel={panel}
      renderRow={(session, position) => (
        <SessionListRow
          session={session}
          position={position}
          onMenu={(place) => openSessionMenu(client, place, { sessionId: session.sessionId, open })}
        />
      )}
      empty={<NoEvents />}
    />
  );
}

/** What can be done with a session in the list. */
function openSessionMenu(
  client: Client,
  place: HTMLElement | PopupAnchor,
  { sessionId, open }: { readonly sessionId: string; readonly open: (sessionId: string) => void },
): void {
  const copy = (text: string, what: string) => void copyWithToast(client, text, what);
  const url = publicUrlOf(`/hooks/sessions/${encodeURIComponent(sessionId)}`);
  floating(client).openMenu(place, "Actions", [
    { label: "Open", icon: <PanelRight size={16} />, keys: SHORTCUT_KEYS.open[0], run: () => open(sessionId) },
    "separator",
    { label: "Copy the id", icon: <Copy size={16} />, run: () => copy(sessionId, "the session’s id") },
    { label: "Copy link", icon: <Link2 size={16} />, run: () => copy(url, "the link to the session") },
  ]);
}

interface SessionListRowProps {
  readonly session: ListedSession;
  readonly position: RowPosition;
  readonly onMenu: (place: HTMLElement | PopupAnchor) => void;
}

function SessionListRow({ session, position, onMenu }: SessionListRowProps) {
  const { sessionId, prompt, projectDir, assistant, lastEventAt, hasEnded } = session;
  const isPhone = useMediaQuery(PHONE);
  const title = prompt?.replace(/\s+/g, " ").trim() || `Session ${shortSessionId(sessionId)}`;
  const { prompts, calls, failed, blocked, totalTokens, costUsd } = session;
  const project = projectDir?.split("/").findLast((part) => part !== "");
  const facts = [
    project,
    assistant === null ? undefined : assistantName(assistant),
    !isPhone && prompts > 0 && pluralize(prompts, "prompt"),
    calls > 0 && pluralize(calls, "call"),
    !isPhone && failed > 0 && `${failed} failed`,
    !isPhone && totalTokens !== null && `${formatTokens(totalTokens)} tokens`,
    costUsd !== null && formatMoney(costUsd),
  ].filter(Boolean);
  return (
    <ListRow id={sessionId} name={title} {...position} onMenu={onMenu} className="pl-4">
      <div role="gridcell" className="flex min-w-0 flex-1 items-center gap-3">
        <SquareTerminal
          aria-label={hasEnded ? "Ended" : "Not ended"}
          size={16}
          className={`shrink-0 ${hasEnded ? "text-muted" : "text-info"}`}
        />
        <span className="flex min-w-0 flex-1 flex-col gap-0.5">
          <span className="truncate font-medium text-strong">{title}</span>
          <span className="tabular truncate text-12 text-muted">
            {blocked > 0 && <span className="font-medium text-danger">{blocked} blocked · </span>}
            {facts.join(" · ")}
          </span>
        </span>
        <span className="shrink-0 text-12 text-muted">
          <TimeAgo timestamp={lastEventAt} />
        </span>
      </div>
    </ListRow>
  );
}
