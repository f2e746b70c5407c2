-- CreateEnum
CREATE TYPE "tool_approval_outcome" AS ENUM ('allowed_once', 'allowed_here', 'denied', 'withdrawn');

-- CreateTable
CREATE TABLE "tool_approvals" (
    "id" UUID NOT NULL,
    "digest" TEXT NOT NULL,
    "harness" TEXT NOT NULL,
    "session_id" TEXT,
    "project" TEXT NOT NULL,
    "folder" TEXT NOT NULL,
    "tool_name" TEXT NOT NULL,
    "call" TEXT NOT NULL,
    "effect" TEXT NOT NULL,
    "diff" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "outcome" "tool_approval_outcome",
    "decided_at" TIMESTAMPTZ(3),
    "decided_by_id" UUID,
    "note" TEXT,

    CONSTRAINT "tool_approvals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tool_allowances" (
    "id" UUID NOT NULL,
    "project" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "tool_name" TEXT NOT NULL,
    "call" TEXT NOT NULL,
    "effect" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tool_allowances_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "tool_approvals_created_at_id_idx" ON "tool_approvals"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tool_approvals_decided_by_id_idx" ON "tool_approvals"("decided_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "tool_allowances_project_digest_key" ON "tool_allowances"("project", "digest");

-- AddForeignKey
ALTER TABLE "tool_approvals" ADD CONSTRAINT "tool_approvals_decided_by_id_fkey" FOREIGN KEY ("decided_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- What is open is asked for by every dashboard.
CREATE INDEX "tool_approvals_open_idx" ON "tool_approvals"("expires_at") WHERE "outcome" IS NULL;
