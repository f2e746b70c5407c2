-- AlterTable
ALTER TABLE "memory_chunks" ADD COLUMN     "awaits_review" BOOLEAN NOT NULL DEFAULT false;

-- The queue, which is empty at first. Creating the index reads the table and locks it against writes meanwhile, for about a
-- second per million memories.
CREATE INDEX "memory_chunks_awaiting_review_idx" ON "memory_chunks"("created_at" DESC, "id" DESC) WHERE "awaits_review" AND "deleted_at" IS NULL;
