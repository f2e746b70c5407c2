import { ChevronLeft, ChevronRight, Pencil, RotateCcw } from "lucide-react";
import { CopyButton } from "../../components/copy-button.tsx";
import { IconButton } from "../../components/button.tsx";
import type { Message } from "./conversation-log.ts";

interface MessageActionsProps {
  readonly message: Message;
  /** What is copied; nothing if it is empty. */
  readonly text: string;
  /** All versions of the message, oldest first. */
  readonly versions: readonly Message[];
  readonly onShow: (messageId: string) => void;
  /** Undefined while an answer is written. */
  readonly onEdit: (() => void) | undefined;
  readonly onAnswerAgain: (() => void) | undefined;
}

/** What can be done with a message: copy it, write it once more, and look at its other versions. */
export function MessageActions({ message, text, versions, onShow, onEdit, onAnswerAgain }: MessageActionsProps) {
  const isQuestion = message.role === "user";
  return (
    <>
      {versions.length > 1 && <VersionPicker message={message} versions={versions} onShow={onShow} />}
      {text !== "" && <CopyButton isBare what={isQuestion ? "the message" : "the answer"} text={text} />}
      {isQuestion && onEdit !== undefined && (
        <IconButton size="small" label="Edit and ask again" icon={<Pencil size={14} />} onClick={onEdit} />
      )}
      {!isQuestion && onAnswerAgain !== undefined && (
        <IconButton size="small" label="Answer again" icon={<RotateCcw size={14} />} onClick={onAnswerAgain} />
      )}
    </>
  );
}

function VersionPicker({ message, versions, onShow }: Pick<MessageActionsProps, "message" | "versions" | "onShow">) {
  const index = versions.findIndex(({ id }) => id === message.id);
  const [before, after] = [versions[index - 1], versions[index + 1]];
  return (
    <span role="group" aria-label="Versions" className="tabular flex items-center text-12 text-muted">
      <IconButton
        size="small"
        label="Previous version"
        disabled={before === undefined}
        icon={<ChevronLeft size={14} />}
        onClick={() => before !== undefined && onShow(before.id)}
      />
      {index + 1}/{versions.length}
      <IconButton
        size="small"
        label="Next version"
        disabled={after === undefined}
        icon={<ChevronRight size={14} />}
        onClick={() => after !== undefined && onShow(after.id)}
      />
    </span>
  );
}
