-- AlterTable
ALTER TABLE "document_versions" ADD COLUMN     "author" JSONB;

-- AlterTable
ALTER TABLE "documents" ADD COLUMN     "author" JSONB;

-- AlterTable
ALTER TABLE "link_updates" ADD COLUMN     "author" JSONB;
