-- CreateEnum
CREATE TYPE "task_link_kind" AS ENUM ('note', 'conversation');

-- AlterTable
ALTER TABLE "task_changes" ADD COLUMN     "cause_id" UUID;

-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "checklist" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "checklist_done" SMALLINT NOT NULL DEFAULT 0,
ADD COLUMN     "checklist_total" SMALLINT NOT NULL DEFAULT 0,
ADD COLUMN     "claim_author" JSONB,
ADD COLUMN     "parent_id" UUID,
ADD COLUMN     "position" TEXT COLLATE "C";

-- Existing tasks are in the order in which they were created. This rewrites the table once, with its indexes, and locks it for that:
-- about a minute for a million tasks. An UPDATE would take longer and leave the table twice as large.
ALTER TABLE "tasks" ALTER COLUMN "position" TYPE TEXT COLLATE "C"
    USING 'k' || lpad(to_hex((EXTRACT(epoch FROM "created_at") * 1000)::bigint), 11, '0'),
  ALTER COLUMN "position" SET NOT NULL;
ALTER TABLE "tasks" ALTER COLUMN "position"
    SET DEFAULT 'k' || lpad(to_hex((EXTRACT(epoch FROM now()) * 1000)::bigint), 11, '0');

-- CreateTable
CREATE TABLE "task_relations" (
    "first_id" UUID NOT NULL,
    "second_id" UUID NOT NULL,

    CONSTRAINT "task_relations_pkey" PRIMARY KEY ("first_id","second_id")
);

-- CreateTable
CREATE TABLE "task_links" (
    "task_id" UUID NOT NULL,
    "kind" "task_link_kind" NOT NULL,
    "target_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "is_set" BOOLEAN NOT NULL,
    "is_named" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "task_links_pkey" PRIMARY KEY ("task_id","kind","target_id")
);

-- CreateIndex
CREATE INDEX "task_relations_second_id_idx" ON "task_relations"("second_id");

-- CreateIndex
CREATE INDEX "task_links_kind_target_id_idx" ON "task_links"("kind", "target_id");

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "tasks"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_relations" ADD CONSTRAINT "task_relations_first_id_fkey" FOREIGN KEY ("first_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_relations" ADD CONSTRAINT "task_relations_second_id_fkey" FOREIGN KEY ("second_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_links" ADD CONSTRAINT "task_links_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE INDEX "tasks_parent_id_idx" ON "tasks"("parent_id") WHERE "parent_id" IS NOT NULL;
CREATE INDEX "tasks_position_created_at_id_idx" ON "tasks"("position", "created_at", "id");
CREATE INDEX "task_changes_cause_id_idx" ON "task_changes"("cause_id") WHERE "cause_id" IS NOT NULL;

-- The order of the queue, now with the due time and the manual order.
DROP INDEX "tasks_queue_idx";
CREATE INDEX "tasks_queue_idx" ON "tasks"("priority" DESC, "due_date", "due_time", "position", "created_at", "id")
  WHERE "deleted_at" IS NULL AND "status" IN ('todo', 'in_progress');
