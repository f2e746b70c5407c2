-- CreateTable
CREATE TABLE "link_updates" (
    "id" UUID NOT NULL,
    "origin" TEXT NOT NULL,
    "moves" JSONB NOT NULL,
    "is_done" BOOLEAN NOT NULL DEFAULT false,
    "undone_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "link_updates_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "link_update_files" (
    "update_id" UUID NOT NULL,
    "document_id" UUID NOT NULL,
    "targets" JSONB NOT NULL,
    "links" INTEGER NOT NULL DEFAULT 0,
    "before_hash" TEXT,
    "after_hash" TEXT,
    "is_restored" BOOLEAN NOT NULL DEFAULT false,
    "is_refused" BOOLEAN NOT NULL DEFAULT false,
    "is_done" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "link_update_files_pkey" PRIMARY KEY ("update_id","document_id")
);

-- CreateIndex
CREATE INDEX "link_updates_created_at_idx" ON "link_updates"("created_at");

-- CreateIndex
CREATE INDEX "link_update_files_document_id_idx" ON "link_update_files"("document_id");

-- AddForeignKey
ALTER TABLE "link_update_files" ADD CONSTRAINT "link_update_files_update_id_fkey" FOREIGN KEY ("update_id") REFERENCES "link_updates"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_update_files" ADD CONSTRAINT "link_update_files_document_id_fkey" FOREIGN KEY ("document_id") REFERENCES "documents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The updates that a process that died left unfinished.
CREATE INDEX "link_updates_unfinished_idx" ON "link_updates"("created_at") WHERE NOT "is_done";
