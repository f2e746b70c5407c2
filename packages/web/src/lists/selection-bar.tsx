import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../components/button.tsx";

interface SelectionBarProps {
  /** The accessible name of the toolbar: "Selected tasks". */
  readonly label: string;
  readonly count: number;
  readonly onClear: () => void;
  /** Actions on the selection. */
  readonly children: ReactNode;
}

/** Floats above a list while anything in it is selected. Its parent must be positioned. */
export function SelectionBar({ label, count, onClear, children }: SelectionBarProps) {
  if (count === 0) return null;
  return (
    <div
      role="toolbar"
      aria-label={label}
      className="animate-float absolute inset-x-2 bottom-3 z-20 mx-auto flex w-fit max-w-[calc(100%-16px)] items-center gap-1 overflow-x-auto rounded-panel bg-raised p-1.5 shadow-float"
    >
      <span role="status" className="tabular px-2 text-13 font-medium whitespace-nowrap text-strong">
        {count.toLocaleString("en")} selected
      </span>
      {children}
      <IconButton size="small" label="Clear the selection" shortcut="back" icon={<X size={16} />} onClick={onClear} />
    </div>
  );
}
