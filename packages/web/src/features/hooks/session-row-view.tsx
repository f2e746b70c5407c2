import { ChangesRow } from "./changes-row.tsx";
import { GivenRow } from "./given-row.tsx";
import { PromptRow } from "./prompt-row.tsx";
import type { RowPlace } from "./session-article.tsx";
import type { SessionRow } from "./session-rows.ts";
import type { SessionStep } from "./session-steps.ts";
import type { SessionActivity } from "./session-view-state.ts";
import { StepRow } from "./step-row.tsx";
import type { HookSession } from "./use-hook-session.ts";

interface SessionRowViewProps {
  readonly row: SessionRow;
  readonly place: RowPlace;
  readonly sessionId: string;
  readonly number: number | undefined;
  readonly promptText: string | undefined;
  readonly isUnfolded: boolean;
  /** What the session does, if the row belongs to its last prompt. */
  readonly activity: SessionActivity | undefined;
  /** Whether a call without a result may still run. */
  readonly isRunning: boolean;
  readonly learnt: HookSession["memories"];
  readonly given: HookSession["given"];
  readonly root: string | null;
  readonly stepsOf: (promptId: string) => readonly SessionStep[];
}

/** A row of the view of a session, whatever its kind. */
export function SessionRowView(props: SessionRowViewProps) {
  const { row, place, sessionId, number, promptText, isUnfolded, activity, isRunning, learnt, given, root, stepsOf } =
    props;
  switch (row.kind) {
    case "prompt":
      return (
        <PromptRow
          place={place}
          prompt={row.prompt}
          text={promptText}
          number={number}
          isUnfolded={row.isUnfolded}
          activity={activity}
          learnt={learnt}
        />
      );
    case "step":
      return (
        <StepRow
          place={place}
          step={row.step}
          isUnfolded={isUnfolded}
          isRunning={isRunning}
          learnt={learnt}
          root={root}
        />
      );
    case "given":
      return <GivenRow place={place} given={given} isUnfolded={isUnfolded} />;
    case "changes":
      if (row.prompt.changes === null) return null;
      return (
        <ChangesRow place={place} sessionId={sessionId} changes={row.prompt.changes} steps={stepsOf(row.prompt.id)} />
      );
    case "pending":
      return (
        <div aria-hidden className="px-10 py-2.5">
          <div className="h-5 w-2/3 animate-skeleton rounded-control bg-pressed" />
        </div>
      );
  }
}
