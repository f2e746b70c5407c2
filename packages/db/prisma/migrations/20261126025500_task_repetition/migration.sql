-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "next_id" UUID,
ADD COLUMN     "repeat_from" TEXT NOT NULL DEFAULT 'due',
ADD COLUMN     "repeat_rule" TEXT,
ADD COLUMN     "repeat_timezone" TEXT,
ADD COLUMN     "snoozed_until" TIMESTAMPTZ(3);
