-- CreateTable
CREATE TABLE "note_appends" (
    "user_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "text_hash" TEXT NOT NULL,
    "after_hash" TEXT,
    "is_done" BOOLEAN NOT NULL DEFAULT false,
    "claimed_until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "note_appends_pkey" PRIMARY KEY ("user_id","key")
);

-- CreateTable
CREATE TABLE "shelf_items" (
    "user_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "item_id" TEXT NOT NULL,
    "position" INTEGER,
    "opened_at" TIMESTAMPTZ(3),

    CONSTRAINT "shelf_items_pkey" PRIMARY KEY ("user_id","kind","item_id")
);

-- CreateIndex
CREATE INDEX "note_appends_created_at_idx" ON "note_appends"("created_at");

-- AddForeignKey
ALTER TABLE "note_appends" ADD CONSTRAINT "note_appends_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "shelf_items" ADD CONSTRAINT "shelf_items_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
