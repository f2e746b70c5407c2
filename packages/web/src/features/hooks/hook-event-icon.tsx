import {
  CircleX,
  LogIn,
  LogOut,
  MessageSquareText,
  ShieldX,
  SquareCheckBig,
  Wrench,
  type LucideIcon,
} from "lucide-react";
import { HOOK_EVENT_LABELS, type HookEvent, type HookEventType } from "./hook-event.ts";

const ICONS: Readonly<Record<HookEventType, LucideIcon>> = {
  PreToolUse: Wrench,
  PostToolUse: SquareCheckBig,
  PostToolUseFailure: CircleX,
  UserPromptSubmit: MessageSquareText,
  SessionStart: LogIn,
  SessionEnd: LogOut,
};

/** Shows the type of an event; a blocked call has its own shape and colour. */
export function HookEventIcon({ event: { eventType, blocked } }: { readonly event: HookEvent }) {
  if (blocked) return <ShieldX role="img" aria-label="Blocked" size={16} className="shrink-0 text-danger" />;
  const color = eventType === "PostToolUseFailure" ? "text-warning" : "text-muted";
  return <EventTypeIcon type={eventType} className={color} />;
}

export function EventTypeIcon({
  type,
  className = "text-muted",
}: {
  readonly type: HookEventType;
  readonly className?: string;
}) {
  const Icon = ICONS[type];
  return <Icon role="img" aria-label={HOOK_EVENT_LABELS[type]} size={16} className={`shrink-0 ${className}`} />;
}
