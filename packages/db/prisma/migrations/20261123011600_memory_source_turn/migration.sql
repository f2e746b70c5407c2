-- AlterTable
ALTER TABLE "memory_chunks" ADD COLUMN     "source_turn" INTEGER;
