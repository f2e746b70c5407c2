import { Suspense, type MouseEvent, type ReactNode } from "react";
import { openPopover } from "../components/anchored.ts";
import { Button } from "../components/button.tsx";

interface FilterButtonProps {
  readonly label: string;
  /** What is chosen. */
  readonly words: readonly string[];
  /** The choices. Rendered outside of the page, so it reads what is chosen from where that is kept. */
  readonly picker: () => ReactNode;
}

/** One part of a filter: says what is chosen, and opens the choices. */
export function FilterButton({ label, words, picker }: FilterButtonProps) {
  const isChosen = words.length > 0;
  const open = (event: MouseEvent<HTMLButtonElement>) =>
    openPopover(event.currentTarget, `Filter by ${label.toLowerCase()}`, () => <Suspense>{picker()}</Suspense>);
  return (
    <Button
      size="small"
      tone={isChosen ? "accent" : "ghost"}
      aria-haspopup="dialog"
      className={isChosen ? "max-w-56 bg-accent-soft" : ""}
      onClick={open}
    >
      <span className="truncate">{isChosen ? `${label}: ${words.join(", ")}` : label}</span>
    </Button>
  );
}
