-- CreateTable
CREATE TABLE "memory_accesses" (
    "memory_id" UUID NOT NULL,
    "access_count" INTEGER NOT NULL,
    "last_accessed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "memory_accesses_pkey" PRIMARY KEY ("memory_id")
);

-- Reads all memories, without locking out readers.
INSERT INTO "memory_accesses" ("memory_id", "access_count", "last_accessed_at")
SELECT "id", "access_count", coalesce("last_accessed_at", "created_at") FROM "memory_chunks" WHERE "access_count" > 0;

-- AddForeignKey
ALTER TABLE "memory_accesses" ADD CONSTRAINT "memory_accesses_memory_id_fkey" FOREIGN KEY ("memory_id") REFERENCES "memory_chunks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AlterTable
ALTER TABLE "memory_chunks" DROP COLUMN "access_count",
DROP COLUMN "last_accessed_at";
