import { describe, expect, test } from "vitest";
import { phraseClock } from "../../../testing/capture-phrases.ts";
import { readRepeatText, readTask } from "./capture-text.ts";

/** Wednesday, 25 November 2026, 10:00. */
const context = { wallClock: phraseClock, language: "en-US", projects: [], readsRepeats: true };

const read = (text: string, refused: readonly string[] = []) => {
  const { title, dueDate, dueTime, repeat, repeatFrom } = readTask(text, { ...context, refused });
  return [title, repeat, dueDate, dueTime, repeatFrom].filter((part) => part !== undefined).join(" | ");
};

describe("a repetition in a task", () => {
  test.each([
    ["Call dentist tomorrow 9am every 2 weeks", "Call dentist | FREQ=WEEKLY;INTERVAL=2 | 2026-11-26 | 09:00"],
    ["Call dentist every 2 weeks from tomorrow 9am", "Call dentist | FREQ=WEEKLY;INTERVAL=2 | 2026-11-26 | 09:00"],
    ["Gym every Monday starting Dec 7 at 6pm", "Gym | FREQ=WEEKLY;BYDAY=MO | 2026-12-07 | 18:00"],
    ["Gym every Monday until March 1", "Gym | FREQ=WEEKLY;BYDAY=MO;UNTIL=20270301"],
    ["Take pills every day at 8am 10 times", "Take pills | FREQ=DAILY;COUNT=10 | 08:00"],
    ["Change filter every 3 months after completion", "Change filter | FREQ=MONTHLY;INTERVAL=3 | completion"],
    ["Training jeden Montag ab 7.12. um 18 Uhr", "Training | FREQ=WEEKLY;BYDAY=MO | 2026-12-07 | 18:00"],
    ["Tabletten jeden Tag bis Freitag", "Tabletten | FREQ=DAILY;UNTIL=20261127"],
    ["Filter alle 3 Monate nach Erledigung wechseln", "Filter wechseln | FREQ=MONTHLY;INTERVAL=3 | completion"],
    ["At 9am water the plants every Monday", "water the plants | FREQ=WEEKLY;BYDAY=MO | 09:00"],
    ["Pay rent on Tuesday Dec 1 every month", "Pay rent | FREQ=MONTHLY | 2026-12-01"],
    // A date of every year is the next one, however recent the last one was.
    ["Check boiler every year on October 5", "Check boiler | FREQ=YEARLY | 2027-10-05"],
    ["Rauchmelder testen jedes Jahr am 1.10.", "Rauchmelder testen | FREQ=YEARLY | 2027-10-01"],
    ["Geburtstag Papa 24. Oktober jedes Jahr", "Geburtstag Papa | FREQ=YEARLY | 2027-10-24"],
    ["Renew insurance every October 5", "Renew insurance | FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=5"],
    ["Board games first Friday of every month 8pm", "Board games | FREQ=MONTHLY;BYDAY=1FR | 20:00"],
    ["Spieleabend letzter Freitag jedes Monats", "Spieleabend | FREQ=MONTHLY;BYDAY=-1FR"],
    ["Water the ficus weekly after completion", "Water the ficus | FREQ=WEEKLY | completion"],
    ["Tabletten jeden Morgen um 8", "Tabletten | FREQ=DAILY | 08:00"],
  ])("%s", (text, expected) => expect(read(text)).toBe(expected));

  test("is not read beside a date that is none of its own, nor beside another", () => {
    for (const text of ["Gym tomorrow every Monday", "Gym every Monday every Friday", "Rent on Dec 3 every 1st"])
      expect(read(text)).toBe(text);
  });

  test("can be refused without its date, and its date without it", () => {
    expect(read("Call tomorrow every week", ["every week"])).toBe("Call every week | 2026-11-26");
    expect(read("Call tomorrow every week", ["tomorrow"])).toBe("Call tomorrow | FREQ=WEEKLY");
  });
});

describe("a text that is a repetition", () => {
  test.each([
    ["every 2 weeks", { repeat: "FREQ=WEEKLY;INTERVAL=2" }],
    ["daily", { repeat: "FREQ=DAILY" }],
    ["täglich um 7 Uhr", { repeat: "FREQ=DAILY", dueTime: "07:00" }],
    ["jeden ersten Montag im Monat", { repeat: "FREQ=MONTHLY;BYDAY=1MO" }],
    ["alle 3 Tage nach Erledigung", { repeat: "FREQ=DAILY;INTERVAL=3", repeatFrom: "completion" }],
    ["every weekday from Monday", { repeat: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", dueDate: "2026-11-30" }],
    ["every week Gym", null],
    ["tomorrow", null],
    ["", null],
  ])("%j", (text, expected) => expect(readRepeatText(text, context)).toEqual(expected));
});
