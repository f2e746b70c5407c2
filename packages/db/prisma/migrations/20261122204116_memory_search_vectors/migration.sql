-- Existing memories get their vectors in the background after the start. Replacing the index on sessions locks memory_chunks
-- against writes for about a second per million memories.

-- DropIndex
DROP INDEX "memory_chunks_session_id_idx";

-- CreateTable
CREATE TABLE "memory_search_vectors" (
    "memory_id" UUID NOT NULL,
    "vector" tsvector NOT NULL,
    "dictionary" TEXT NOT NULL,

    CONSTRAINT "memory_search_vectors_pkey" PRIMARY KEY ("memory_id")
);

-- CreateIndex
CREATE INDEX "memory_search_vectors_vector_idx" ON "memory_search_vectors" USING GIN ("vector");

-- CreateIndex
CREATE INDEX "memory_search_vectors_dictionary_idx" ON "memory_search_vectors"("dictionary");

-- CreateIndex
CREATE INDEX "memory_chunks_session_id_created_at_id_idx" ON "memory_chunks"("session_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "memory_search_vectors" ADD CONSTRAINT "memory_search_vectors_memory_id_fkey" FOREIGN KEY ("memory_id") REFERENCES "memory_chunks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A vector of up to a page stays in its row, uncompressed: a search reads those of thousands of memories.
ALTER TABLE "memory_search_vectors" SET (toast_tuple_target = 8160);

-- A search has to know which words are common.
ALTER TABLE "memory_search_vectors" ALTER COLUMN "vector" SET STATISTICS 200;
