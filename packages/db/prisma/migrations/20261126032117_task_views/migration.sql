-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "assignee" JSONB;

-- CreateTable
CREATE TABLE "task_views" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "color" TEXT,
    "settings" JSONB NOT NULL,
    "position" INTEGER NOT NULL,
    "creator_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "task_views_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "task_views_creator_id_idx" ON "task_views"("creator_id");

-- AddForeignKey
ALTER TABLE "task_views" ADD CONSTRAINT "task_views_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The indexes block changes of tasks while they are built: about a second with a million rows.
-- Due dates are compared as text, whatever the order of the database.
CREATE INDEX "tasks_due_idx" ON "tasks"("due_date" COLLATE "C") WHERE due_date IS NOT NULL;
CREATE INDEX "tasks_tags_idx" ON "tasks" USING GIN ("tags");
