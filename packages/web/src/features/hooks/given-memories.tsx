import { Link } from "@tanstack/react-router";
import { pluralize } from "../../numbers/number-format.ts";
import { ChunkTypeIcon } from "../memory/chunk-type-icon.tsx";
import { describeOccasion } from "../memory/memory-injection.ts";
import { MemoryUse } from "../memory/memory-use.tsx";
import { memoryPanel } from "../memory/memory.ts";
import { byOccasion } from "./memory-occasions.ts";
import type { HookSession } from "./use-hook-session.ts";

/** The memories that a session was given, for what, and whether it used them. */
export function GivenMemories({ given }: Pick<HookSession, "given">) {
  return (
    <ul className="flex flex-col gap-3">
      {byOccasion(given).map((occasion) => (
        <li key={`${occasion.reason} ${occasion.subject} ${occasion.givenAt}`} className="text-13">
          <p className="flex items-baseline gap-2 text-muted">
            <span className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">{describeOccasion(occasion)}</span>
            <span className="tabular ml-auto shrink-0 text-12">{pluralize(occasion.tokens, "token")}</span>
          </p>
          <ul className="flex flex-col">
            {occasion.memories.map((memory) => (
              <li key={memory.memoryId}>
                <Link
                  to="/memory"
                  search={memoryPanel(memory.memoryId)}
                  className="-mx-2 flex gap-2 rounded-control px-2 py-1.5 text-strong hover:bg-hover"
                >
                  <ChunkTypeIcon type={memory.chunkType} hasName />
                  <span className="flex min-w-0 flex-col gap-0.5">
                    <span className="line-clamp-2 [overflow-wrap:anywhere]">{memory.content}</span>
                    <span className="text-12 text-muted">
                      <MemoryUse injection={memory} />
                    </span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
