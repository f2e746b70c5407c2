import { formatDay } from "../../dates/date-format.ts";
import { todayOf } from "../../dates/day.ts";

/** When something happened, with seconds if it was today: "9:41:07", "Yesterday 9:41", "12 Nov 9:41". */
export function formatMoment(timestamp: string, now: Date): string {
  const instant = new Date(timestamp);
  const minute = `${instant.getHours()}:${twoDigits(instant.getMinutes())}`;
  const day = todayOf(instant);
  const today = todayOf(now);
  return day === today ? `${minute}:${twoDigits(instant.getSeconds())}` : `${formatDay(day, today)} ${minute}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
