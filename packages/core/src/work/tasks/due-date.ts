const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Normalizes a due date: a plain date stays as it is, so that no time zone can shift it; a date-time becomes UTC with
 * milliseconds. Returns null for anything else, including impossible days such as February 30.
 */
export function parseDueDate(text: string): string | null {
  if (DATE.test(text)) return isCalendarDate(text) ? text : null;
  if (!DATE_TIME.test(text) || !isCalendarDate(text.slice(0, 10))) return null;
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime())) return null;
  const iso = instant.toISOString();
  return iso.length === 24 ? iso : null;
}

/** Whether a normalized due date is a date without a time. */
export function isPlainDate(dueDate: string): boolean {
  return DATE.test(dueDate);
}

function isCalendarDate(date: string): boolean {
  const instant = new Date(`${date}T00:00:00.000Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(date);
}
