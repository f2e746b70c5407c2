-- AlterTable
ALTER TABLE "documents" ADD COLUMN     "text_tags" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "link_updates" ADD COLUMN     "tag_rename" JSONB;

-- Has the mirror read every note once more, for the tags in its text. Takes a few seconds with a million notes and locks only rows that
-- nothing else changes before the service has started.
UPDATE "documents" SET "mtime_ns" = 0 WHERE "file_type" = 'markdown' AND "deleted_at" IS NULL;
