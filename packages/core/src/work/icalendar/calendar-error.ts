import { DomainError } from "../../platform/errors.ts";

/** The conditions of CalDAV (RFC 4791, 5.3.2.1 and 7) that can fail here. */
export type CalendarCondition =
  | "supported-calendar-data"
  | "valid-calendar-data"
  | "valid-calendar-object-resource"
  | "supported-calendar-component"
  | "no-uid-conflict"
  | "number-of-matches-within-limits"
  | "supported-filter"
  // Of RFC 6578.
  | "valid-sync-token";

/** What a calendar program sent breaks one of the conditions of CalDAV. */
export class CalendarError extends DomainError {
  readonly status = 403;
  readonly condition: CalendarCondition;

  constructor(condition: CalendarCondition, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.condition = condition;
  }
}
