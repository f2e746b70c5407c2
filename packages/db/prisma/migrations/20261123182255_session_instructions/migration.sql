-- CreateEnum
CREATE TYPE "instruction_kind" AS ENUM ('message', 'pause', 'stop');

-- CreateTable
CREATE TABLE "session_instructions" (
    "id" UUID NOT NULL,
    "session_id" TEXT NOT NULL,
    "kind" "instruction_kind" NOT NULL,
    "text" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by_id" UUID,
    "claim" UUID,
    "claimed_until" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "ended_by_id" UUID,

    CONSTRAINT "session_instructions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "session_instructions_session_id_created_at_id_idx" ON "session_instructions"("session_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "session_instructions_created_at_idx" ON "session_instructions"("created_at");

-- CreateIndex
CREATE INDEX "session_instructions_created_by_id_idx" ON "session_instructions"("created_by_id");

-- CreateIndex
CREATE INDEX "session_instructions_ended_by_id_idx" ON "session_instructions"("ended_by_id");

-- AddForeignKey
ALTER TABLE "session_instructions" ADD CONSTRAINT "session_instructions_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_instructions" ADD CONSTRAINT "session_instructions_ended_by_id_fkey" FOREIGN KEY ("ended_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- A session is paused and stopped at most once at a time; what stands is asked for by every hook that finds nobody watching.
CREATE UNIQUE INDEX "session_instructions_standing_key" ON "session_instructions"("session_id", "kind")
  WHERE "kind" <> 'message' AND "ended_at" IS NULL AND ("delivered_at" IS NULL OR "kind" = 'pause');
CREATE INDEX "session_instructions_standing_idx" ON "session_instructions"("session_id", "id")
  WHERE "ended_at" IS NULL AND ("delivered_at" IS NULL OR "kind" = 'pause');
