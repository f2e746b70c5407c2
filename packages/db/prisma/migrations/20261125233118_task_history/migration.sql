-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "author" JSONB;

-- CreateTable
CREATE TABLE "task_changes" (
    "id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "author" JSONB NOT NULL,
    "changes" JSONB NOT NULL,
    "text_before" TEXT,
    "text_after" TEXT,
    "undoes_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "task_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "task_comments" (
    "id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "author" JSONB NOT NULL,
    "text" TEXT NOT NULL,
    "mentions" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "edited_at" TIMESTAMPTZ(3),

    CONSTRAINT "task_comments_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "task_changes_task_id_created_at_id_idx" ON "task_changes"("task_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "task_comments_task_id_created_at_id_idx" ON "task_comments"("task_id", "created_at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "task_changes" ADD CONSTRAINT "task_changes_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_comments" ADD CONSTRAINT "task_comments_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
