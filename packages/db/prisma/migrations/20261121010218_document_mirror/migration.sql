-- Replaces: bb995eab4044a48edc636bbe9e8fc3b49593415c2048e52c79cdb8177b6ef617
-- (The same tables from another text, which failed where they held rows.)

-- AlterTable
ALTER TABLE "documents" ADD COLUMN     "birthtime_ns" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "directory" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "link_name" TEXT NOT NULL DEFAULT '';

UPDATE "documents" SET
  "directory" = coalesce(substring("path" FROM '^(.*)/'), ''),
  "link_name" = lower(regexp_replace(substring("path" FROM '[^/]*$'), '\.(md|markdown)$', '', 'i'));

ALTER TABLE "documents" ALTER COLUMN "birthtime_ns" DROP DEFAULT,
ALTER COLUMN "directory" DROP DEFAULT,
ALTER COLUMN "link_name" DROP DEFAULT;

-- CreateTable
CREATE TABLE "document_texts" (
    "document_id" UUID NOT NULL,
    "content_hash" TEXT NOT NULL,
    "content" TEXT,
    "search_text" TEXT NOT NULL,

    CONSTRAINT "document_texts_pkey" PRIMARY KEY ("document_id")
);

-- Kept for restoring; without the file's hash it is read and folded again.
INSERT INTO "document_texts" ("document_id", "content_hash", "content", "search_text")
SELECT "id", '', "content", lower("content") FROM "documents" WHERE "content" IS NOT NULL;

ALTER TABLE "documents" DROP COLUMN "content";

-- CreateTable
CREATE TABLE "document_links" (
    "document_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "target" TEXT NOT NULL,
    "target_name" TEXT NOT NULL,

    CONSTRAINT "document_links_pkey" PRIMARY KEY ("document_id","position")
);

-- CreateIndex
CREATE INDEX "document_texts_search_text_idx" ON "document_texts" USING GIN ("search_text" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "document_links_target_name_idx" ON "document_links"("target_name");

-- CreateIndex
CREATE INDEX "documents_inode_idx" ON "documents"("inode");

-- CreateIndex
CREATE INDEX "documents_directory_idx" ON "documents"("directory");

-- CreateIndex
CREATE INDEX "documents_link_name_idx" ON "documents"("link_name");

-- AddForeignKey
ALTER TABLE "document_texts" ADD CONSTRAINT "document_texts_document_id_fkey" FOREIGN KEY ("document_id") REFERENCES "documents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_links" ADD CONSTRAINT "document_links_document_id_fkey" FOREIGN KEY ("document_id") REFERENCES "documents"("id") ON DELETE CASCADE ON UPDATE CASCADE;
