import { clsx } from "clsx";
import { useEffect, useRef, type ReactNode } from "react";
import { tooltip } from "./tooltip.ts";
import type { ShortcutId } from "../shortcuts/shortcut-keys.ts";

interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly icon: ReactNode }[];
  readonly shortcut?: ShortcutId;
  /** Whether text is shown beside the icons. */
  readonly hasWords?: boolean;
  onChange(value: Value): void;
}

/** A choice among a few options, all visible; on a narrow screen they scroll. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  shortcut,
  hasWords,
  onChange,
}: SegmentedProps<Value>) {
  const ref = useRef<HTMLDivElement>(null);
  const chosenIndex = options.findIndex((option) => option.value === value);
  useEffect(() => {
    const group = ref.current;
    if (group === null) return undefined;
    // Called at first, too.
    const observer = new ResizeObserver(() => showChosen(group, group.children[chosenIndex]));
    observer.observe(group);
    return () => observer.disconnect();
  }, [chosenIndex]);
  return (
    <div
      ref={ref}
      role="radiogroup"
      aria-label={label}
      className="flex min-w-0 overflow-x-auto rounded-control border border-border bg-background p-px [scrollbar-width:none]"
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

/** How much of its neighbour is seen beside the chosen option, so that one knows that there are more. */
const NEIGHBOUR_PX = 24;

/** Scrolls a group that is too narrow so that the chosen option is seen; the page stays where it is. */
function showChosen(group: HTMLElement, chosen: Element | undefined): void {
  if (chosen === undefined) return;
  const [outer, inner] = [group.getBoundingClientRect(), chosen.getBoundingClientRect()];
  if (inner.left < outer.left) group.scrollLeft -= outer.left - inner.left + NEIGHBOUR_PX;
  else if (inner.right > outer.right) group.scrollLeft += inner.right - outer.right + NEIGHBOUR_PX;
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
