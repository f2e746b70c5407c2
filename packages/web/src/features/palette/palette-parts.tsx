import { Command } from "cmdk";
import type { ReactNode } from "react";
import { Kbd } from "../../components/kbd.tsx";

/** A group of results of one kind. */
export function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="mb-1 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}

interface EntryProps {
  readonly value: string;
  readonly icon: ReactNode;
  readonly hint?: string;
  /** A second line, in small print. */
  readonly note?: ReactNode;
  readonly keys?: string | undefined;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

/** One result or command. */
export function Entry({ value, icon, hint, note = null, keys, onSelect, children }: EntryProps) {
  return (
    <Command.Item
      value={value}
      className="flex min-h-9 items-center gap-3 rounded-control px-2 text-strong select-none aria-selected:bg-hover touch:min-h-12"
      onSelect={onSelect}
    >
      <span className="flex w-4 shrink-0 justify-center text-muted">{icon}</span>
      <span className="flex min-w-0 flex-1 flex-col">
        <span dir="auto" className="truncate">
          {children}
        </span>
        {note !== null && (
          <span dir="auto" className="truncate pb-1 text-12 text-muted">
            {note}
          </span>
        )}
      </span>
      {hint !== undefined && <span className="max-w-40 shrink-0 truncate text-12 text-muted">{hint}</span>}
      {keys !== undefined && (
        <span className="touch:hidden">
          <Kbd keys={keys} />
        </span>
      )}
    </Command.Item>
  );
}
