import * as z from "zod";

const chunkId = z.string().regex(/^[0-9a-f]{64}$/);

/** Bytes of a chunk: its name, where they begin, and how many there are. */
export const partSchema = z.tuple([chunkId, z.int().min(0), z.int().min(0)]);
export type Part = z.output<typeof partSchema>;

/** The rows in a range of a table's pages. */
const segmentSchema = z.object({
  /** Equal as long as no row of the range has changed. */
  fingerprint: z.string(),
  rows: z.int().min(0),
  parts: z.array(partSchema),
});
export type Segment = z.output<typeof segmentSchema>;

const tableSchema = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  /** Changes whenever the table is rewritten. */
  fileNode: z.string(),
  segments: z.array(segmentSchema),
});
export type BackedUpTable = z.output<typeof tableSchema>;

const databaseSchema = z.object({
  serverVersion: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(tableSchema),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
});
export type BackedUpDatabase = z.output<typeof databaseSchema>;

/** A file of the vault, or one of the service's key files. */
export const fileSchema = z.object({
  path: z.string(),
  sha256: z.string(),
  size: z.int().min(0),
  mode: z.int(),
  mtimeNs: z.string(),
  /** With the time and the size, shows that a file has not changed; absent if it may have changed in the same instant. */
  identity: z.string().optional(),
  parts: z.array(partSchema),
});
export type BackedUpFile = z.output<typeof fileSchema>;

/** What does not agree in a backup: a note whose record describes another content, or whose file is missing. */
const disagreementSchema = z.object({ path: z.string(), problem: z.enum(["changed", "missing", "unreadable"]) });
export type Disagreement = z.output<typeof disagreementSchema>;

/** A backup that later ones do not replace until then, whatever is kept otherwise. */
const sparedSchema = z.object({ id: z.string(), until: z.iso.datetime() });
export type SparedBackup = z.output<typeof sparedSchema>;

/** One backup. Whoever can read its manifest has a whole backup, because the manifest is written last. */
export const manifestSchema = z.object({
  format: z.literal(1),
  id: z.string(),
  createdAt: z.iso.datetime(),
  durationMs: z.number(),
  version: z.string(),
  /** Which workspace it is of; earlier versions did not say. */
  workspaceId: z.uuid().optional(),
  database: databaseSchema,
  vault: z.object({
    /** The list of files, a line of JSON each, in chunks. */
    files: z.array(partSchema),
    fileCount: z.int().min(0),
    /** Without those that the service keeps in it for itself; earlier versions did not say. */
    ownFileCount: z.int().min(0).optional(),
    totalBytes: z.int().min(0),
    folders: z.array(z.string()),
    links: z.array(z.object({ path: z.string(), target: z.string() })),
  }),
  /** The files of the data folder that hold keys. */
  keys: z.array(fileSchema),
  disagreements: z.array(disagreementSchema),
  spared: z.array(sparedSchema).optional(),
});
export type Manifest = z.output<typeof manifestSchema>;

/** How many rows a backup has. */
export function countRows({ database }: Pick<Manifest, "database">): number {
  return database.tables.reduce((total, { segments }) => total + segments.reduce((sum, { rows }) => sum + rows, 0), 0);
}

/** How many bytes the rows of a backup have as text, before they are compressed. */
export function countRowBytes({ database }: Pick<Manifest, "database">): number {
  const parts = database.tables.flatMap(({ segments }) => segments.flatMap((segment) => segment.parts));
  return parts.reduce((sum, [, , length]) => sum + length, 0);
}
