-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "due_time" TEXT;
