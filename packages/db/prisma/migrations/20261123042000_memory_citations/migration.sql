-- CreateEnum
CREATE TYPE "citation_state" AS ENUM ('unchecked', 'holds', 'broken', 'confirmed');

-- AlterTable
ALTER TABLE "memory_chunks" ADD COLUMN     "withheld_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "memory_citations" (
    "id" UUID NOT NULL,
    "memory_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "start_line" INTEGER,
    "end_line" INTEGER,
    "commit" TEXT,
    "quote" TEXT,
    "fingerprint" TEXT,
    "state" "citation_state" NOT NULL DEFAULT 'unchecked',
    "checked_at" TIMESTAMPTZ(3),

    CONSTRAINT "memory_citations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "memory_citations_memory_id_idx" ON "memory_citations"("memory_id");

-- AddForeignKey
ALTER TABLE "memory_citations" ADD CONSTRAINT "memory_citations_memory_id_fkey" FOREIGN KEY ("memory_id") REFERENCES "memory_chunks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
