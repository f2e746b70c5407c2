-- CreateEnum
CREATE TYPE "backup_run_kind" AS ENUM ('backup', 'verify', 'drill');

-- CreateEnum
CREATE TYPE "backup_run_status" AS ENUM ('running', 'done', 'failed', 'cancelled');

-- CreateTable
CREATE TABLE "backup_runs" (
    "id" UUID NOT NULL,
    "kind" "backup_run_kind" NOT NULL,
    "status" "backup_run_status" NOT NULL DEFAULT 'running',
    "is_scheduled" BOOLEAN NOT NULL,
    "process_id" UUID NOT NULL,
    "backup_id" TEXT,
    "message" TEXT,
    "rows" BIGINT,
    "files" INTEGER,
    "vault_bytes" BIGINT,
    "stored_bytes" BIGINT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "backup_runs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "backup_runs_kind_status_started_at_idx" ON "backup_runs"("kind", "status", "started_at" DESC);

-- CreateIndex
CREATE INDEX "backup_runs_started_at_id_idx" ON "backup_runs"("started_at" DESC, "id" DESC);

-- One at a time, whichever process does it.
CREATE UNIQUE INDEX "backup_runs_running_key" ON "backup_runs"((true)) WHERE "status" = 'running';
