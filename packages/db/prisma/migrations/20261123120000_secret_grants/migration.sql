-- CreateTable
CREATE TABLE "secret_grants" (
    "id" UUID NOT NULL,
    "secret_id" UUID NOT NULL,
    "command" TEXT NOT NULL,
    "folder" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "secret_grants_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "secret_grants_secret_id_folder_command_key" ON "secret_grants"("secret_id", "folder", "command");

-- AddForeignKey
ALTER TABLE "secret_grants" ADD CONSTRAINT "secret_grants_secret_id_fkey" FOREIGN KEY ("secret_id") REFERENCES "secrets"("id") ON DELETE CASCADE ON UPDATE CASCADE;
