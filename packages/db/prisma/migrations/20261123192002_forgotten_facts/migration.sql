-- AlterTable
ALTER TABLE "forgotten_memories" ADD COLUMN     "fact_hashes" INTEGER[];

-- AlterTable
ALTER TABLE "memory_extractions" ADD COLUMN     "left_out" JSONB;

-- What is to be removed after 30 days.
CREATE INDEX "memory_extractions_left_out_idx" ON "memory_extractions" ("created_at") WHERE "left_out" IS NOT NULL;
