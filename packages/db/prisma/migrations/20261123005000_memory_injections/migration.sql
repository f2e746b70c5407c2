-- CreateEnum
CREATE TYPE "injection_reason" AS ENUM ('session_start', 'prompt', 'file');

-- CreateTable
CREATE TABLE "memory_injections" (
    "session_id" TEXT NOT NULL,
    "memory_id" UUID NOT NULL,
    "reason" "injection_reason" NOT NULL,
    "subject" TEXT,
    "tokens" INTEGER NOT NULL,
    "given_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "not_useful_at" TIMESTAMPTZ(3),

    CONSTRAINT "memory_injections_pkey" PRIMARY KEY ("session_id","memory_id")
);

-- CreateIndex
CREATE INDEX "memory_injections_memory_id_given_at_session_id_idx" ON "memory_injections"("memory_id", "given_at" DESC, "session_id" DESC);

-- CreateIndex
CREATE INDEX "memory_injections_given_at_idx" ON "memory_injections"("given_at");

-- AddForeignKey
ALTER TABLE "memory_injections" ADD CONSTRAINT "memory_injections_memory_id_fkey" FOREIGN KEY ("memory_id") REFERENCES "memory_chunks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
