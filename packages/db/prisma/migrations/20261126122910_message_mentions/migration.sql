-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "context" TEXT,
ADD COLUMN     "mentions" JSONB;
