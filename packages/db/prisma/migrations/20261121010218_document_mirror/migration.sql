-- AlterTable
ALTER TABLE "documents" DROP COLUMN "content",
ADD COLUMN     "birthtime_ns" BIGINT NOT NULL,
ADD COLUMN     "directory" TEXT NOT NULL,
ADD COLUMN     "link_name" TEXT NOT NULL;

-- CreateTable
CREATE TABLE "document_texts" (
    "document_id" UUID NOT NULL,
    "content_hash" TEXT NOT NULL,
    "content" TEXT,
    "search_text" TEXT NOT NULL,

    CONSTRAINT "document_texts_pkey" PRIMARY KEY ("document_id")
);

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
