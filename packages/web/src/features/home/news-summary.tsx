import { formatCost, pluralize } from "../../numbers/number-format.ts";
import { ItemLink } from "./item-link.tsx";
import type { News } from "./news.ts";

/** Blocked calls, memories and spending in a line, each with a link to more. */
export function NewsSummary({ news: { blockedCalls, memories, spend } }: { readonly news: News }) {
  const { workspace, assistants } = spend;
  const parts = [
    {
      isShown: blockedCalls.total > 0,
      href: "/hooks?blocked=1",
      text: `${pluralize(blockedCalls.total, "call")} blocked`,
    },
    {
      isShown: memories.learnt > 0,
      href: "/memory",
      text: `${pluralize(memories.learnt, "memory", "memories")} learnt`,
    },
    {
      isShown: workspace.costUsd > 0,
      href: "/usage",
      text: `${formatCost(workspace.costUsd, workspace.isCostKnown)} spent by chats and agents`,
    },
    {
      isShown: assistants.costUsd > 0,
      href: "/usage",
      text: `${formatCost(assistants.costUsd, assistants.isCostKnown)} spent by assistants`,
    },
  ].filter(({ isShown }) => isShown);
  if (parts.length === 0) return null;
  return (
    <ul aria-label="In numbers" className="mb-2 flex flex-wrap gap-x-4 gap-y-1 px-2 text-13 text-muted">
      {parts.map(({ href, text }) => (
        <li key={text}>
          <ItemLink href={href} className="hover:text-strong">
            {text}
          </ItemLink>
        </li>
      ))}
    </ul>
  );
}
