import { useRouter } from "@tanstack/react-router";
import { CircleAlert, X } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { Toaster as SonnerToaster, toast as sonner } from "sonner";
import { newLocalId } from "../api/local-id.ts";
import { PHONE, useMediaQuery } from "../browser/use-media-query.ts";
import { useClient } from "../client/use-client.ts";
import { SHORTCUT_KEYS } from "../shortcuts/shortcut-keys.ts";
import { Button, IconButton } from "./button.tsx";
import { Kbd } from "./kbd.tsx";
import { toasts, type ToastMessage } from "./toast.ts";

/** Set by Radix while a modal is open. */
const SCROLL_LOCKED = "data-scroll-locked";
const NEUTRAL_DURATION_MS = 7_000;
const FAILURE_DURATION_MS = 60_000;

/** Where toasts appear. Mounted once. */
export default function Toaster() {
  const client = useClient();
  useEffect(() => toasts(client).attach({ show, dismiss }), [client]);
  const router = useRouter();
  useEffect(
    () => router.subscribe("onBeforeLoad", ({ pathChanged }) => void (pathChanged && dismissFailures())),
    [router],
  );
  const isPhone = useMediaQuery(PHONE);
  const isBelowDialog = useIsScrollLocked();
  return (
    <SonnerToaster
      // At the bottom of a phone a dialog has its buttons.
      position={isPhone && isBelowDialog ? "top-center" : "bottom-right"}
      visibleToasts={3}
      gap={8}
      offset={{ bottom: "16px", right: "16px" }}
      mobileOffset={{ top: "12px", bottom: "calc(72px + env(safe-area-inset-bottom))", left: "12px", right: "12px" }}
      containerAriaLabel="Notifications"
    />
  );
}

/** Whether something above the page, such as a dialog, keeps it from scrolling. */
function useIsScrollLocked(): boolean {
  return useSyncExternalStore(subscribeToScrollLock, () => document.body.hasAttribute(SCROLL_LOCKED));
}

function subscribeToScrollLock(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { attributeFilter: [SCROLL_LOCKED] });
  return () => observer.disconnect();
}

/** What is shown, by the ids of the messages. A toast that goes away takes one that replaces it along, so the next is a new one. */
const shown = new Map<string, string | number>();
/** Those that say what failed on the page, and since when, by the same ids. */
const failures = new Map<string, number>();

function show(message: ToastMessage): void {
  const key = message.id ?? newLocalId();
  const former = shown.get(key);
  const toastId = sonner.custom(
    () => (
      <Toast
        message={message}
        dismiss={() => {
          dismiss(key);
          message.onDismiss?.();
        }}
      />
    ),
    {
      duration: durationOf(message),
      onAutoClose: () => forget(key, toastId),
      onDismiss: () => forget(key, toastId),
      ...(former !== undefined && { id: former }),
    },
  );
  shown.set(key, toastId);
  if (isOfPage(message)) failures.set(key, Date.now());
  else failures.delete(key);
}

function durationOf(message: ToastMessage): number {
  if (isOfPage(message)) return FAILURE_DURATION_MS;
  return message.tone === "danger" || message.stays === true ? Infinity : NEUTRAL_DURATION_MS;
}

/** Whether it concerns only the page on which it appeared. */
function isOfPage({ tone, action, stays }: ToastMessage): boolean {
  return tone === "danger" && action === undefined && stays !== true;
}

/** The page has been left. What failed just now, perhaps by leaving it, can still be read. */
function dismissFailures(): void {
  for (const [key, shownAt] of failures) {
    const toastId = shown.get(key);
    setTimeout(
      () => failures.get(key) === shownAt && shown.get(key) === toastId && dismiss(key),
      shownAt + NEUTRAL_DURATION_MS - Date.now(),
    );
  }
}

function dismiss(key: string): void {
  const toastId = shown.get(key);
  if (toastId === undefined) return;
  forget(key, toastId);
  sonner.dismiss(toastId);
}

/** A toast has gone away by itself. */
function forget(key: string, toastId: string | number): void {
  if (shown.get(key) !== toastId) return;
  shown.delete(key);
  failures.delete(key);
}

function Toast({ message: { message, detail, tone, action }, dismiss }: { message: ToastMessage; dismiss(): void }) {
  const isDanger = tone === "danger";
  const clamp = isDanger ? "line-clamp-4" : "line-clamp-2";
  return (
    <div
      role={isDanger ? "alert" : "status"}
      // A dialog takes them from everything else.
      className="pointer-events-auto flex w-full flex-wrap items-center gap-x-2 rounded-panel bg-raised py-1.5 pr-1.5 pl-3 text-13 text-strong shadow-float md:w-90"
    >
      {isDanger && <CircleAlert aria-hidden size={16} className="shrink-0 text-danger" />}
      {/* What a long button leaves too little room for is above it. */}
      <div className="min-w-48 flex-1 py-1 [overflow-wrap:anywhere]">
        <p className={clamp}>{message}</p>
        {detail !== undefined && <p className={`${clamp} text-12 text-muted`}>{detail}</p>}
      </div>
      <div className="ml-auto flex items-center gap-2">
        {action !== undefined && (
          <Button
            size="small"
            tone="accent"
            onClick={() => {
              dismiss();
              action.run();
            }}
          >
            {action.label}
            {action.shortcut !== undefined && (
              <span className="touch:hidden">
                <Kbd keys={SHORTCUT_KEYS[action.shortcut][0]} />
              </span>
            )}
          </Button>
        )}
        <IconButton size="small" label="Dismiss" icon={<X size={14} />} onClick={dismiss} />
      </div>
    </div>
  );
}
