/** What happens to a call that rules match, in words. */
export const OUTCOMES = {
  allow: { label: "Allowed", short: "Allow", tone: "success" },
  warn: { label: "Allowed, with a warning", short: "Warn", tone: "neutral" },
  undo: { label: "Allowed if it can be undone, otherwise asked about", short: "Undoable", tone: "neutral" },
  ask: { label: "Asked about", short: "Ask", tone: "warning" },
  deny: { label: "Refused", short: "Refuse", tone: "danger" },
} as const;
