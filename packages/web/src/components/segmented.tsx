import { clsx } from "clsx";
import type { ReactNode } from "react";
import { tooltip } from "./tooltip.ts";
import type { ShortcutId } from "../shortcuts/shortcut-table.ts";

interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly icon: ReactNode }[];
  readonly shortcut?: ShortcutId;
  /** Whether text is shown beside the icons. */
  readonly hasWords?: boolean;
  onChange(value: Value): void;
}

/** A choice among two or three options, all visible. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  shortcut,
  hasWords,
  onChange,
}: SegmentedProps<Value>) {
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="flex rounded-control border border-border bg-background p-px"
      {...tooltip(label, shortcut)}
    >
      {options.map((option) => {
        const isChosen = option.value === value;
        return (
          <button
            key={option.value}
            type="button"
            role="radio"
            aria-checked={isChosen}
            aria-label={option.label}
            tabIndex={isChosen ? 0 : -1}
            className={clsx(
              "flex h-[calc(var(--control-height-small)-2px)] flex-1 items-center justify-center gap-1.5 rounded-[5px] px-2 text-13 whitespace-nowrap",
              isChosen ? "bg-raised text-strong shadow-[0_0_0_1px_var(--border)]" : "text-muted hover:text-strong",
            )}
            onClick={() => onChange(option.value)}
            onKeyDown={(event) => {
              const next = neighbour(options, value, event.key);
              if (next === undefined) return;
              event.preventDefault();
              event.stopPropagation();
              onChange(next);
              const button =
                event.currentTarget.parentElement?.children[options.findIndex((other) => other.value === next)];
              if (button instanceof HTMLElement) button.focus();
            }}
          >
            {option.icon}
            {hasWords === true && option.label}
          </button>
        );
      })}
    </div>
  );
}

function neighbour<Value extends string>(
  options: readonly { value: Value }[],
  value: Value,
  key: string,
): Value | undefined {
  const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return undefined;
  const index = options.findIndex((option) => option.value === value);
  return options[(index + step + options.length) % options.length]?.value;
}
