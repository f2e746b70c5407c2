import { expect } from "vitest";
import { signInAt } from "./test-server.ts";

/** When backups are made and how many are kept, without a place. */
export const BACKUP_CHOICES = {
  isScheduled: true,
  every: "hour",
  dayTime: "03:00",
  weekday: 1,
  keepDaily: 7,
  keepWeekly: 4,
  keepMonthly: 12,
  isDrilled: false,
};

/** Has backups made by schedule, which only a person who is signed in may choose; without a place in BACKUP_DIR. */
export async function scheduleBackups(url: string, place: string | null): Promise<void> {
  const asAdmin = await signInAt(url);
  const response = await asAdmin("PUT", "/api/settings/backups", { body: { ...BACKUP_CHOICES, place } });
  expect(response.status).toBe(200);
}
