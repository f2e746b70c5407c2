-- CreateTable
CREATE TABLE "news_reads" (
    "user_id" UUID NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "news_reads_pkey" PRIMARY KEY ("user_id")
);

-- CreateIndex
CREATE INDEX "agent_runs_completed_at_idx" ON "agent_runs"("completed_at");

-- CreateIndex
CREATE INDEX "task_changes_created_at_idx" ON "task_changes"("created_at");

-- CreateIndex
CREATE INDEX "task_comments_created_at_idx" ON "task_comments"("created_at");

-- AddForeignKey
ALTER TABLE "news_reads" ADD CONSTRAINT "news_reads_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
