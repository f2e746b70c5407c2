import { Link } from "@tanstack/react-router";
import { Brain } from "lucide-react";
import { memoryPanel } from "../memory/memory.ts";
import type { HookSession } from "./use-hook-session.ts";

/** The memories that were learnt from a step of a session. */
export function LearntHere({ memories }: { readonly memories: HookSession["memories"] }) {
  return memories.map(({ id, content }) => (
    <Link
      key={id}
      to="/memory"
      search={memoryPanel(id)}
      className="flex items-start gap-1.5 self-start text-13 text-accent-text hover:underline"
    >
      <Brain aria-hidden size={14} className="mt-0.5 shrink-0" />
      <span className="line-clamp-2">Learnt here: {content}</span>
    </Link>
  ));
}
