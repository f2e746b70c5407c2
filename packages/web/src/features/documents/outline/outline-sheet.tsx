import { Dialog as RadixDialog } from "radix-ui";
import { X } from "lucide-react";
import { IconButton } from "../../../components/button.tsx";
import { useSuspendedShortcuts } from "../../../shortcuts/use-suspended-shortcuts.ts";
import type { DocumentSession } from "../session/document-session.ts";
import type { NoteNavigator } from "./note-navigator.ts";
import Outline from "./outline.tsx";

interface OutlineSheetProps {
  readonly session: DocumentSession | null;
  readonly navigator: NoteNavigator;
  readonly onClose: () => void;
}

/** The outline on a phone: a sheet at the bottom, so that the text stays visible above it. */
export default function OutlineSheet({ session, navigator, onClose }: OutlineSheetProps) {
  useSuspendedShortcuts();
  return (
    <RadixDialog.Root open onOpenChange={onClose}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="animate-fade fixed inset-0 z-50 bg-(--scrim)" />
        <RadixDialog.Content
          aria-describedby={undefined}
          className="animate-float fixed inset-x-0 bottom-0 z-50 flex max-h-[65vh] flex-col rounded-t-panel bg-raised pb-[env(safe-area-inset-bottom)] shadow-float focus:outline-none"
        >
          <header className="flex shrink-0 items-center justify-between border-b border-border py-1 pr-2 pl-4">
            <RadixDialog.Title className="text-14 font-semibold text-strong">Outline</RadixDialog.Title>
            <RadixDialog.Close asChild>
              <IconButton label="Close" icon={<X size={16} />} />
            </RadixDialog.Close>
          </header>
          <div className="min-h-0 overflow-y-auto overscroll-contain">
            <Outline session={session} navigator={navigator} onChosen={onClose} />
          </div>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
