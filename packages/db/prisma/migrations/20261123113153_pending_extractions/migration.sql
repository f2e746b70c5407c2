-- CreateTable
CREATE TABLE "pending_extractions" (
    "id" UUID NOT NULL,
    "window_hash" TEXT NOT NULL,
    "session_id" TEXT,
    "project_path" TEXT,
    "content" BYTEA NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pending_extractions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "pending_extractions_window_hash_key" ON "pending_extractions"("window_hash");

-- CreateIndex
CREATE INDEX "pending_extractions_due_at_id_idx" ON "pending_extractions"("due_at", "id");
