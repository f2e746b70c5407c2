-- CreateTable
CREATE TABLE "forgotten_memories" (
    "memory_id" UUID NOT NULL,
    "project_path" TEXT,
    "content_key" TEXT NOT NULL,
    "marks_key" TEXT NOT NULL,
    "word_hashes" INTEGER[],
    "similarity_keys" INTEGER[],
    "forgotten_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "forgotten_memories_pkey" PRIMARY KEY ("memory_id")
);

-- CreateIndex
CREATE INDEX "forgotten_memories_content_key_idx" ON "forgotten_memories"("content_key");

-- CreateIndex
CREATE INDEX "forgotten_memories_similarity_keys_idx" ON "forgotten_memories" USING GIN ("similarity_keys");
