import { describe, expect, it } from "vitest";
import { chooseKept } from "./retention.ts";

const at = (day: string, hour = "03"): string => `${day}T${hour}0000Z-00000000`;

const NOW = new Date("2026-11-24T20:00:00Z");

describe("chooseKept", () => {
  it("keeps the newest of each of the last hours, whatever is kept of days", () => {
    const ids = ["0300", "0310", "0355", "0400", "1900"].map((time) => `20261124T${time}00Z-00000000`);
    const yesterday = ["1859", "2000", "2030"].map((time) => `20261123T${time}00Z-00000000`);
    const kept = chooseKept([...yesterday, ...ids], { hourly: 24, daily: 1, weekly: 0, monthly: 0 }, NOW);
    expect([...kept].toSorted()).toEqual([yesterday[2], ids[2], ids[3], ids[4]]);
  });

  it("keeps no more days with a backup each than it should", () => {
    const ids = Array.from({ length: 20 }, (_, index) => at(`202611${String(index + 1).padStart(2, "0")}`));
    expect(chooseKept(ids, { hourly: 24, daily: 3, weekly: 0, monthly: 0 }, NOW).size).toBe(3);
  });

  it("keeps the newest of each day, week and month", () => {
    const ids = ["20261031", "20261115", "20261116", "20261122", "20261123", "20261124"].map((day) => at(day));
    const kept = chooseKept(ids, { hourly: 0, daily: 2, weekly: 3, monthly: 2 }, NOW);
    // Weeks end on Sundays: 15 November is one.
    expect([...kept].toSorted()).toEqual([
      at("20261031"),
      at("20261115"),
      at("20261122"),
      at("20261123"),
      at("20261124"),
    ]);
  });

  it("keeps the last of several on one day", () => {
    const kept = chooseKept(
      [at("20261124", "03"), at("20261124", "15")],
      {
        hourly: 0,
        daily: 7,
        weekly: 4,
        monthly: 12,
      },
      NOW,
    );
    expect([...kept]).toEqual([at("20261124", "15")]);
  });

  it("always keeps the newest", () => {
    expect(chooseKept([at("20261123"), at("20261124")], { hourly: 0, daily: 0, weekly: 0, monthly: 0 }, NOW)).toEqual(
      new Set([at("20261124")]),
    );
  });

  it("keeps those of the future, which count for nothing", () => {
    const ids = [at("20261123"), at("20261124", "18"), at("20261124", "19"), at("20290824")];
    const kept = chooseKept(ids, { hourly: 24, daily: 1, weekly: 0, monthly: 0 }, NOW);
    expect([...kept].toSorted()).toEqual(ids.slice(1));
  });

  it("does not count days without a backup", () => {
    const ids = [at("20250101"), at("20260101")];
    expect(chooseKept(ids, { hourly: 0, daily: 2, weekly: 0, monthly: 0 }, NOW).size).toBe(2);
  });
});
