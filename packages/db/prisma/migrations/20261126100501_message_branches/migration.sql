-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "answer_began_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "parent_id" UUID;
