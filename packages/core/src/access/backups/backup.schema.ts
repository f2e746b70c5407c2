import { BackupRunKind, BackupRunStatus } from "@workspace/db";
import * as z from "zod";
import { listInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";
import { expectedVersion, versionFields } from "../../platform/procedures/versioned-setting.schema.ts";
import { BACKUP_FREQUENCIES } from "./backup-schedule.ts";

const MAX_PLACE_LENGTH = 1_000;
const SATURDAY = 6;
/** A year of days, ten years of weeks, a hundred years of months. */
const MAX_KEPT = { daily: 366, weekly: 520, monthly: 1_200 } as const;

const kept = (period: keyof typeof MAX_KEPT, noun: string) =>
  z
    .int()
    .min(0)
    .max(MAX_KEPT[period])
    .meta({
      description: `How many ${noun} with a backup keep their newest one. The newest of each of the last 24 hours is always kept`,
    });

const choices = z.object({
  isScheduled: z.boolean().meta({ description: "Whether backups are made by themselves" }),
  place: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(MAX_PLACE_LENGTH, `must be at most ${MAX_PLACE_LENGTH} characters`)
    .refine((text) => !text.includes("\0"), "must not contain a null character")
    .nullable()
    .meta({
      description:
        "The folder for backups, as an absolute path, or s3://bucket/path in an S3-compatible store; null for BACKUP_DIR of the environment",
    }),
  every: z.enum(BACKUP_FREQUENCIES),
  dayTime: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "expected a time such as 03:00")
    .meta({ description: "In the time zone of the server; for each hour, only its minutes count" }),
  weekday: z.int().min(0).max(SATURDAY).meta({ description: "For each week: 0 is Sunday" }),
  keepDaily: kept("daily", "days"),
  keepWeekly: kept("weekly", "weeks"),
  keepMonthly: kept("monthly", "months"),
  isDrilled: z.boolean().meta({
    description:
      "Whether the newest backup is restored into a temporary place once a month, together with the schedule",
  }),
});
export type BackupChoices = z.infer<typeof choices>;

const MIN_PASSPHRASE_LENGTH = 8;
const s3Text = z.string().trim().min(1, "must not be empty").max(500, "must be at most 500 characters");
const s3Connection = z.object({
  endpoint: s3Text
    .regex(/^https?:\/\/[^/]/, "must begin with http:// or https://")
    .meta({ description: "The URL of the store, such as https://s3.eu-central-1.amazonaws.com" }),
  region: s3Text,
  accessKeyId: s3Text,
});

export const setBackupSettingsInput = z.object({
  expectedVersion: expectedVersion("the settings have"),
  ...choices.shape,
  s3: s3Connection
    .extend({
      secretAccessKey: s3Text
        .optional()
        .meta({ description: "Stored as a secret; absent keeps it for the same store" }),
    })
    .nullish()
    .meta({ description: "How the store of s3://… is reached; null for that of the environment" }),
  passphrase: z
    .string()
    .min(MIN_PASSPHRASE_LENGTH, `must have at least ${MIN_PASSPHRASE_LENGTH} characters`)
    .max(1_000, "must be at most 1,000 characters")
    .nullish()
    .meta({ description: "Encrypts the backups of a new place. Stored as a secret; null removes it, absent keeps it" }),
});
export type SetBackupSettings = z.infer<typeof setBackupSettingsInput>;

export type S3Choice = z.infer<typeof s3Connection>;

export const backupSettingsSchema = choices
  .extend({
    hasPassphrase: z.boolean().meta({ description: "Whether one is stored here" }),
    s3: s3Connection.nullable().meta({ description: "How the store of s3://… is reached, without the secret key" }),
    environment: z.object({
      place: z.string().nullable().meta({ description: "BACKUP_DIR" }),
      hasS3: z.boolean().meta({ description: "Whether it says how a store is reached" }),
      hasPassphrase: z.boolean().meta({ description: "Whether BACKUP_PASSPHRASE is set, used if none is stored here" }),
    }),
    timeZone: z.string().meta({ description: "In which `dayTime` is" }),
    ...versionFields,
  })
  .meta({ id: "BackupSettings" });
export type BackupSettings = z.infer<typeof backupSettingsSchema>;

export const backupRunSchema = z
  .object({
    id: z.string(),
    kind: z.enum(BackupRunKind).meta({
      description: "`verify` reads a backup back and compares it; `drill` also restores it into a temporary place",
    }),
    status: z.enum(BackupRunStatus).meta({ description: "`cancelled` if the server ended meanwhile" }),
    isScheduled: z.boolean(),
    backupId: z.string().nullable(),
    message: z.string().nullable().meta({ description: "Why it failed, or what to know although it did not" }),
    rows: z.number().int().nullable(),
    files: z.number().int().nullable(),
    vaultBytes: z.number().int().nullable(),
    storedBytes: z.number().int().nullable().meta({ description: "What a backup has added to its place" }),
    startedAt: timestamp,
    completedAt: timestamp.nullable(),
  })
  .meta({ id: "BackupRun" });
export type BackupRun = z.infer<typeof backupRunSchema>;

export const BACKUP_PROBLEMS = ["backup failed", "backup damaged", "restore drill failed"] as const;
export type BackupProblem = (typeof BACKUP_PROBLEMS)[number];

export const backupStatusSchema = z
  .object({
    running: backupRunSchema.nullable(),
    lastBackup: backupRunSchema.nullable().meta({ description: "The last one that was made" }),
    lastVerify: backupRunSchema.nullable(),
    lastDrill: backupRunSchema.nullable(),
    nextBackupAt: timestamp.nullable().meta({ description: "Null if none are scheduled" }),
    nextDrillAt: timestamp.nullable(),
    problem: z
      .object({ kind: z.enum(BACKUP_PROBLEMS), run: backupRunSchema })
      .nullable()
      .meta({ description: "What failed last time; gone once it succeeds" }),
  })
  .meta({ id: "BackupStatus" });
export type BackupStatus = z.infer<typeof backupStatusSchema>;

export const MAX_LISTED_BACKUPS = 200;

export const storedBackupSchema = z
  .object({
    id: z.string(),
    createdAt: timestamp,
    version: z.string(),
    rows: z.number().int(),
    files: z.number().int(),
    vaultBytes: z.number().int(),
    disagreements: z.number().int().meta({ description: "How many files were not as their records said" }),
    isDamaged: z.boolean().meta({
      description:
        "Whether it needs something that is known to be lost. If its own list is damaged, nothing but its time is known of it",
    }),
  })
  .meta({ id: "StoredBackup" });

export const backupByIdInput = z.object({ id: z.string().max(100, "must be at most 100 characters") });
export const listBackupRunsInput = listInput;
