-- AlterTable
ALTER TABLE "memory_injections" ADD COLUMN     "checked_until" TIMESTAMPTZ(3),
ADD COLUMN     "is_use_visible" BOOLEAN NOT NULL DEFAULT false;
