-- AlterEnum
ALTER TYPE "tick_outcome" ADD VALUE 'coalesced';
