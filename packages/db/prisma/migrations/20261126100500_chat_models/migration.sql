-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "model_endpoint" TEXT,
ADD COLUMN     "model_name" TEXT,
ADD COLUMN     "title_search" TEXT;

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "is_cost_known" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "model" TEXT;
