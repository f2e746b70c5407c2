import { CatchBoundary, type ErrorComponentProps } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { DropdownMenu, Popover } from "radix-ui";
import { useMemo, useRef, useState } from "react";
import { useStore } from "../client/store.ts";
import { useClient } from "../client/use-client.ts";
import { floating, type Popup, type MenuItem } from "./floating.ts";
import { Kbd } from "./kbd.tsx";
import { ErrorState } from "./states.tsx";
import { createTypeAhead } from "./type-ahead.ts";

const FLOATING =
  "animate-float z-60 max-h-(--radix-popper-available-height) overflow-y-auto rounded-panel bg-raised shadow-float focus:outline-none";

/** Shows the open menu or picker. Mounted once; loaded when the first one opens. */
export default function FloatingHost() {
  const { current, close } = floating(useClient());
  const open = useStore(current);
  if (open === null) return null;
  const { content } = open;
  return content.kind === "menu" ? (
    <FloatingMenu open={open} items={content.items} onClose={close} />
  ) : (
    <FloatingPopover open={open} onClose={close}>
      {content.render(close)}
    </FloatingPopover>
  );
}

interface FloatingProps {
  readonly open: Popup;
  readonly onClose: () => void;
}

function FloatingMenu({ open, items, onClose }: FloatingProps & { items: readonly MenuItem[] }) {
  const { element, at } = open.anchor;
  const rect = at === undefined ? element.getBoundingClientRect() : new DOMRect(at.x, at.y, 0, 0);
  const chosen = useRef<() => void>(undefined);
  return (
    <DropdownMenu.Root open onOpenChange={onClose}>
      <DropdownMenu.Trigger asChild>
        {/* Radix positions the menu by its trigger; this one covers the element that opened it. */}
        <span
          aria-hidden
          tabIndex={-1}
          className="pointer-events-none fixed"
          style={{ top: rect.top, left: rect.left, width: rect.width, height: rect.height }}
        />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={open.label}
          className={`${FLOATING} min-w-48 p-1`}
          onCloseAutoFocus={(event) => {
            returnFocus(event, open.anchor.returnFocusTo);
            chosen.current?.();
          }}
        >
          {items.map((item, index) => (
            <MenuEntry key={index} item={item} onChoose={(run) => (chosen.current = run)} />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuEntryProps {
  readonly item: MenuItem;
  readonly onChoose: (run: () => void) => void;
}

function MenuEntry({ item, onChoose }: MenuEntryProps) {
  if (item === "separator") return <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-border" />;
  const { label, icon, keys, tone, isChosen } = item;
  const Item = isChosen === undefined ? DropdownMenu.Item : DropdownMenu.CheckboxItem;
  return (
    <Item
      className={`flex h-(--control-height) items-center gap-2 rounded-control px-2 text-14 select-none data-highlighted:bg-hover data-highlighted:outline-none ${
        tone === "danger" ? "text-danger" : "text-strong"
      }`}
      {...(isChosen !== undefined && { checked: isChosen })}
      onSelect={() => onChoose(() => item.run())}
    >
      {icon !== undefined && <span className={tone === "danger" ? "" : "text-muted"}>{icon}</span>}
      <span className="flex-1 truncate">{label}</span>
      {isChosen === true && <Check aria-hidden size={16} className="text-accent-text" />}
      {keys !== undefined && (
        <span className="ml-6 touch:hidden">
          <Kbd keys={keys} />
        </span>
      )}
    </Item>
  );
}

function FloatingPopover({ open, onClose, children }: FloatingProps & { children: React.ReactNode }) {
  const { anchor, label } = open;
  const { element } = anchor;
  const [typeAhead] = useState(createTypeAhead);
  const lastRect = useRef(element.getBoundingClientRect());
  const virtualRef = useMemo(
    () => ({
      current: {
        // The element may be gone by now, for example because its row has moved; the popup then stays where it was.
        getBoundingClientRect: () =>
          (lastRect.current = element.isConnected ? element.getBoundingClientRect() : lastRect.current),
      },
    }),
    [element],
  );
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={virtualRef} />
      <Popover.Portal>
        <Popover.Content
          ref={focusLateContent}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className={FLOATING}
          {...typeAhead}
          onCloseAutoFocus={(event) => returnFocus(event, anchor.returnFocusTo)}
        >
          <CatchBoundary getResetKey={() => label} errorComponent={LoadFailure}>
            {children}
          </CatchBoundary>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function LoadFailure({ error, reset }: ErrorComponentProps) {
  return <ErrorState title="This could not be loaded" error={error} onRetry={reset} />;
}

/** Gives the focus to content whose code is loaded only after the popup has opened. */
function focusLateContent(popup: HTMLElement | null): (() => void) | undefined {
  const observer = new MutationObserver(() => {
    const control = popup?.querySelector<HTMLElement>("input, button");
    if (control === undefined || control === null) return;
    observer.disconnect();
    if (document.activeElement === popup) control.focus();
  });
  if (popup !== null) observer.observe(popup, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** Gives the focus back, unless it has gone elsewhere since the popup closed. */
function returnFocus(event: Event, element: HTMLElement): void {
  event.preventDefault();
  if (document.activeElement === document.body && element.isConnected) element.focus({ preventScroll: true });
}
