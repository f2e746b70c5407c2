-- CreateTable
CREATE TABLE "memory_similarity_keys" (
    "key" INTEGER NOT NULL,
    "memory_id" UUID NOT NULL,

    CONSTRAINT "memory_similarity_keys_pkey" PRIMARY KEY ("key","memory_id")
);

-- CreateIndex
CREATE INDEX "memory_similarity_keys_memory_id_idx" ON "memory_similarity_keys"("memory_id");

-- AddForeignKey
ALTER TABLE "memory_similarity_keys" ADD CONSTRAINT "memory_similarity_keys_memory_id_fkey" FOREIGN KEY ("memory_id") REFERENCES "memory_chunks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
