import { X } from "lucide-react";
import { Dialog as RadixDialog } from "radix-ui";
import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { useSuspendedShortcuts } from "../shortcuts/use-suspended-shortcuts.ts";
import { useRestoredFocus } from "./use-restored-focus.ts";

interface DialogProps {
  readonly title: string;
  /** Read out after the title; also shown if given. */
  readonly description?: string;
  readonly onClose: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A modal for what must be answered before anything else. Prefer a panel or inline editing where either is enough. */
export function Dialog({ title, description, onClose, className = "md:max-w-120", children }: DialogProps) {
  const restoreFocus = useRestoredFocus();
  useSuspendedShortcuts();
  return (
    <RadixDialog.Root open onOpenChange={onClose}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="animate-fade fixed inset-0 z-50 bg-(--scrim)" />
        <RadixDialog.Content
          {...(description === undefined && { "aria-describedby": undefined })}
          onCloseAutoFocus={restoreFocus}
          onInteractOutside={keepForToasts}
          className={`animate-float fixed inset-x-3 top-[max(12px,10vh)] z-50 mx-auto flex max-h-[85vh] flex-col overflow-y-auto rounded-panel bg-raised shadow-float focus:outline-none ${className}`}
        >
          <header className="flex items-center justify-between gap-2 pt-3 pr-3 pl-5">
            <RadixDialog.Title className="text-16 font-semibold text-strong">{title}</RadixDialog.Title>
            <RadixDialog.Close asChild>
              <IconButton size="small" label="Close" icon={<X size={16} />} />
            </RadixDialog.Close>
          </header>
          {description !== undefined && (
            <RadixDialog.Description className="px-5 pt-1 text-muted">{description}</RadixDialog.Description>
          )}
          <div className="px-5 pt-3 pb-5">{children}</div>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** A reminder that appears above a dialog is read or dismissed without closing it. */
function keepForToasts(event: Event): void {
  if (event.target instanceof Element && event.target.closest("[data-sonner-toaster]") !== null) event.preventDefault();
}
