import { RunningSessionRow } from "../steering/running-sessions.tsx";
import { useRunningSessions } from "../steering/steering.ts";
import { HomePart } from "./home-part.tsx";
import { ItemLink } from "./item-link.tsx";

const MAX_SESSIONS = 3;

/** The sessions of assistants that run at the moment: tell them something, pause or stop them. */
export function SessionsAtWork() {
  const { rows } = useRunningSessions();
  if (rows.length === 0) return null;
  return (
    <HomePart
      title="Assistants at work"
      actions={
        rows.length > MAX_SESSIONS && (
          <ItemLink href="/approvals?view=sessions" className="ml-auto font-medium text-accent-text">
            Show all
          </ItemLink>
        )
      }
    >
      <ul aria-label="Assistants at work" className="overflow-hidden rounded-panel border border-border px-3">
        {rows.slice(0, MAX_SESSIONS).map((session) => (
          <RunningSessionRow key={session.sessionId} session={session} />
        ))}
      </ul>
    </HomePart>
  );
}
