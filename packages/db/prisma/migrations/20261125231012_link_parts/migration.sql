-- AlterTable
ALTER TABLE "document_links" ADD COLUMN     "part" TEXT NOT NULL DEFAULT '';

-- Has the mirror read every note once more, because links are recognised more precisely. Takes a few seconds with a million notes
-- and locks only rows that nothing else changes before the service has started.
UPDATE "documents" SET "mtime_ns" = 0 WHERE "file_type" = 'markdown' AND "deleted_at" IS NULL;
