-- AlterTable
ALTER TABLE "session_transcript_parts" ADD COLUMN     "is_indexed" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "session_turn_vectors" (
    "id" BIGSERIAL NOT NULL,
    "session_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "occurred_at" TIMESTAMPTZ(3),
    "vector" tsvector NOT NULL,
    "dictionary" TEXT NOT NULL,

    CONSTRAINT "session_turn_vectors_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "session_turn_vectors_vector_idx" ON "session_turn_vectors" USING GIN ("vector");

-- CreateIndex
CREATE INDEX "session_turn_vectors_dictionary_idx" ON "session_turn_vectors"("dictionary");

-- CreateIndex
CREATE UNIQUE INDEX "session_turn_vectors_session_id_position_key" ON "session_turn_vectors"("session_id", "position");

-- AddForeignKey
ALTER TABLE "session_turn_vectors" ADD CONSTRAINT "session_turn_vectors_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session_transcripts"("session_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The parts that are still to be indexed.
CREATE INDEX "session_transcript_parts_unindexed_idx" ON "session_transcript_parts" ("session_id", "first_position") WHERE NOT "is_indexed";

-- A vector of up to a page stays in its row, uncompressed: a search reads those of thousands of turns.
ALTER TABLE "session_turn_vectors" SET (toast_tuple_target = 8160);

-- A search has to know which words are common.
ALTER TABLE "session_turn_vectors" ALTER COLUMN "vector" SET STATISTICS 200;
