import { Segmented } from "../../components/segmented.tsx";
import { formatCount } from "../../numbers/number-format.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { Toolbar } from "../shell/page.tsx";
import type { SessionPrompt } from "./session-outline.ts";
import { CALL_FILTERS, type CallFilter } from "./session-rows.ts";

const LABELS: Readonly<Record<CallFilter, string>> = {
  all: "All",
  failed: "Failed",
  blocked: "Blocked",
  asked: "Asked about",
};

interface CallFilterBarProps {
  readonly prompts: readonly SessionPrompt[];
  readonly filter: CallFilter;
  readonly onChange: (filter: CallFilter) => void;
}

/** Which calls of a session are shown. Nothing if all went well. */
export function CallFilterBar({ prompts, filter, onChange }: CallFilterBarProps) {
  const countOf = (kind: CallFilter) =>
    prompts.reduce((total, prompt) => total + (kind === "all" ? prompt.calls : prompt[kind]), 0);
  const kinds = CALL_FILTERS.filter((kind) => kind === "all" || kind === filter || countOf(kind) > 0);
  const next = kinds[(kinds.indexOf(filter) + 1) % kinds.length] ?? "all";
  useShortcut("filterCalls", () => onChange(next), { isEnabled: kinds.length > 1 });
  if (kinds.length === 1) return null;
  return (
    <Toolbar>
      <Segmented<CallFilter>
        label="Calls shown"
        shortcut="filterCalls"
        hasWords
        value={filter}
        options={kinds.map((kind) => ({
          value: kind,
          label: kind === "all" ? `All ${formatCount(countOf(kind))}` : `${LABELS[kind]} ${formatCount(countOf(kind))}`,
          icon: null,
        }))}
        onChange={onChange}
      />
    </Toolbar>
  );
}
