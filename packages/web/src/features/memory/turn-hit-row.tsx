import { Link } from "@tanstack/react-router";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { TimeAgo } from "../../components/time-ago.tsx";
import { ListRow } from "../../lists/list-row.tsx";
import type { RowPosition } from "../../lists/resource-list.tsx";
import { shortSessionId } from "../hooks/hook-event.ts";
import { TURN_KINDS, turnSearch } from "../hooks/turn-kinds.ts";
import { projectNameOf } from "./memory.ts";
import type { FoundTurn } from "./search-hits.ts";

interface TurnHitRowProps {
  readonly id: string;
  readonly turn: FoundTurn;
  readonly place: RowPosition;
}

/** A turn of a session among the memories that match a search. */
export function TurnHitRow({ id, turn, place }: TurnHitRowProps) {
  const isPhone = useMediaQuery(PHONE);
  const { kind, toolName, excerpt } = turn;
  const { label, Icon } = TURN_KINDS[kind];
  return (
    <ListRow id={id} name={excerpt} {...place}>
      {/* As wide as the checkbox of a memory. */}
      <div aria-hidden className="w-6 shrink-0 touch:hidden" />
      <div role="gridcell" className="max-md:self-start max-md:pt-3 max-md:pl-2">
        <Icon role="img" aria-label={toolName ?? label} size={16} className="shrink-0 text-muted" />
      </div>
      <div role="gridcell" className="flex min-w-0 flex-1 flex-col justify-center">
        <span className="truncate text-normal">{excerpt}</span>
        {isPhone && <Details turn={turn} />}
      </div>
      {!isPhone && (
        <div role="gridcell" className="shrink-0">
          <Details turn={turn} />
        </div>
      )}
    </ListRow>
  );
}

function Details({ turn: { sessionId, position, projectPath, occurredAt } }: { turn: FoundTurn }) {
  return (
    <span className="flex items-center gap-3 text-12 whitespace-nowrap text-muted">
      <Link
        to="/hooks/sessions/$sessionId"
        params={{ sessionId }}
        search={turnSearch(position)}
        className="text-accent-text hover:underline"
        onClick={(event) => event.stopPropagation()}
      >
        Session {shortSessionId(sessionId)}, turn {position}
      </Link>
      {projectPath !== null && (
        <span data-tooltip={projectPath} className="max-w-36 min-w-0 truncate">
          {projectNameOf(projectPath)}
        </span>
      )}
      <span className="md:w-18 md:text-right">{occurredAt !== null && <TimeAgo timestamp={occurredAt} />}</span>
    </span>
  );
}
