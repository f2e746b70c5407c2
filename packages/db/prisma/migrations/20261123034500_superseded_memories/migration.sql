-- AlterTable
ALTER TABLE "memory_chunks" ADD COLUMN     "superseded_at" TIMESTAMPTZ(3),
ADD COLUMN     "superseded_by_id" UUID;

-- Reads the table and locks it against writes meanwhile, for about a second per million memories.
CREATE INDEX "memory_chunks_superseded_by_id_idx" ON "memory_chunks"("superseded_by_id");
