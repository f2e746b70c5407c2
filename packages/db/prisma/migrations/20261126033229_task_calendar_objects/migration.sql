-- CreateTable
CREATE TABLE "task_calendar_objects" (
    "task_id" UUID NOT NULL,
    "uid" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "parent_uid" TEXT,

    CONSTRAINT "task_calendar_objects_pkey" PRIMARY KEY ("task_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "task_calendar_objects_uid_key" ON "task_calendar_objects"("uid");

-- CreateIndex
CREATE UNIQUE INDEX "task_calendar_objects_name_key" ON "task_calendar_objects"("name");

-- CreateIndex
CREATE INDEX "task_calendar_objects_parent_uid_idx" ON "task_calendar_objects"("parent_uid");

-- AddForeignKey
ALTER TABLE "task_calendar_objects" ADD CONSTRAINT "task_calendar_objects_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
