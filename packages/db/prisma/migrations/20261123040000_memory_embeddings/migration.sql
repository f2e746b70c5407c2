-- AlterEnum
ALTER TYPE "usage_source" ADD VALUE 'memory_embedding';

-- CreateTable
CREATE TABLE "memory_embeddings" (
    "memory_id" UUID NOT NULL,
    "space" TEXT NOT NULL,
    "content_key" TEXT NOT NULL,
    "project_path" TEXT,
    "signature" BIT(1024),

    CONSTRAINT "memory_embeddings_pkey" PRIMARY KEY ("memory_id")
);

-- CreateIndex
CREATE INDEX "memory_embeddings_project_path_idx" ON "memory_embeddings"("project_path");

-- AddForeignKey
ALTER TABLE "memory_embeddings" ADD CONSTRAINT "memory_embeddings_memory_id_fkey" FOREIGN KEY ("memory_id") REFERENCES "memory_chunks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
