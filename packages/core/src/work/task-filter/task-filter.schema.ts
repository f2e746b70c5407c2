import * as z from "zod";
import { firstWeekdayInput } from "../calendar-settings/calendar-settings.schema.ts";
import { timeZoneInput } from "../../platform/time-zone-input.ts";
import { FilterError, MAX_FILTER_CHARACTERS } from "../../platform/filter/filter.ts";
import { parseFilter } from "./task-fields.ts";

/** A filter as text, or in its JSON form. */
export const filterText = z
  .string()
  .max(MAX_FILTER_CHARACTERS, "must be at most 2,000 characters")
  .superRefine((text, context) => {
    try {
      parseFilter(text);
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
      context.addIssue({ code: "custom", message: error.message });
    }
  });

/** The filter of a list, and the zone of its days. */
export const filterInput = {
  filter: filterText.optional().meta({
    description:
      "Conditions joined by and, or, not and parentheses, such as " +
      "`status:todo,blocked and (priority >= high or due:overdue) and not tag:waiting`. Fields: status (also open), priority, project, " +
      "tag, `#tag` with those nested in it, title, description, assignee and creator (a name, an id, me or none), holder of the claim, parent (an id or none), claimed and snoozed (yes, no), due, created, changed, completed (2026-12-24, " +
      "today, +3d, -2w, this-week, next-7-days, last-month, later, overdue, none, any, `next 2 weeks`, `3 days ago`, `2026-12`; also with < <= > >=), text. Texts and names also with `contains` and " +
      "`begins with` (`title:water` is a part, `title=water` all of it), everything with `is empty`. Or the same as JSON: " +
      '`{"and":[{"field":"status","values":["todo"]},{"not":{"field":"due","op":"<","values":["today"]}}]}`',
  }),
  timezone: timeZoneInput
    .optional()
    .meta({ description: "The IANA name of the zone of the days in `filter`. Default: that of the server" }),
  firstWeekday: firstWeekdayInput.optional().meta({
    description: "With which day the weeks in `filter` begin: 0 is Sunday. Default: that of the settings, or Monday",
  }),
};
