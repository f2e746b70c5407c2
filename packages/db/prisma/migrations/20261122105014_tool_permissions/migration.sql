-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "allow_destructive" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "approval_id" UUID,
ADD COLUMN     "approval_outcome" TEXT;
