-- CreateEnum
CREATE TYPE "assistant_wait_reason" AS ENUM ('permission', 'input');

-- CreateTable
CREATE TABLE "assistant_waits" (
    "session_id" TEXT NOT NULL,
    "harness" TEXT NOT NULL,
    "project" TEXT NOT NULL,
    "reason" "assistant_wait_reason" NOT NULL,
    "text" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "assistant_waits_pkey" PRIMARY KEY ("session_id")
);

-- CreateIndex
CREATE INDEX "assistant_waits_since_session_id_idx" ON "assistant_waits"("since" DESC, "session_id" DESC);
