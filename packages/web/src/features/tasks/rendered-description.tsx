import { Pencil } from "lucide-react";
import type { MouseEvent } from "react";
import { IconButton } from "../../components/button.tsx";
import MarkdownText from "../agents/markdown-text.tsx";

interface RenderedDescriptionProps {
  readonly text: string;
  readonly onEdit: () => void;
}

/** A description as it is read; a click edits it. */
export default function RenderedDescription({ text, onEdit }: RenderedDescriptionProps) {
  const onClick = ({ target }: MouseEvent) => {
    const isControl = target instanceof Element && target.closest("a, summary, input, button") !== null;
    if (!isControl && getSelection()?.isCollapsed !== false) onEdit();
  };
  return (
    // The button does the same for the keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div
      className="group/description relative -mx-2 min-h-24 rounded-control px-2 py-1 hover:bg-hover touch:pr-11"
      onClick={onClick}
    >
      <MarkdownText text={text} keepsLines />
      <IconButton
        size="small"
        label="Edit the description"
        icon={<Pencil size={14} />}
        className="absolute top-0 right-0 opacity-0 group-hover/description:opacity-100 focus-visible:opacity-100 touch:opacity-100"
        onClick={onEdit}
      />
    </div>
  );
}
