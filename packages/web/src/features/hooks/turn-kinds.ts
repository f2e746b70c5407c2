import { Bot, CircleX, CornerDownRight, UserRound, Wrench, type LucideIcon } from "lucide-react";
import type { Outputs } from "../../api/api.ts";

type SessionTurn = Outputs["hooks"]["getTranscript"]["data"]["turns"][number];

/** How the kinds of turns look. */
export const TURN_KINDS: Readonly<Record<SessionTurn["kind"], { label: string; Icon: LucideIcon; color: string }>> = {
  user: { label: "User", Icon: UserRound, color: "text-accent-text" },
  assistant: { label: "Assistant", Icon: Bot, color: "text-strong" },
  tool_call: { label: "Tool", Icon: Wrench, color: "text-muted" },
  tool_result: { label: "Result", Icon: CornerDownRight, color: "text-muted" },
};

const FAILED = { label: "Failed", Icon: CircleX, color: "text-danger" };

/** How a turn looks: the output of a tool that failed unlike others. */
export function appearanceOf({ kind, hasFailed }: Pick<SessionTurn, "kind" | "hasFailed">) {
  return hasFailed ? FAILED : TURN_KINDS[kind];
}

/** The search parameters that open a session at a turn. */
export function turnSearch(turn: number | null): Record<string, string> {
  return turn === null ? {} : { turn: String(turn) };
}
