-- CreateTable
CREATE TABLE "imported_files" (
    "path" TEXT NOT NULL,
    "content_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "imported_files_pkey" PRIMARY KEY ("path","content_hash")
);
