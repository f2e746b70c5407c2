-- AlterTable
ALTER TABLE "agent_runs" ALTER COLUMN "process_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "server_processes" ADD COLUMN     "session_name" TEXT,
ADD COLUMN     "writer_id" UUID;

-- CreateTable
CREATE TABLE "leaderships" (
    "name" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "process_id" UUID,
    "last_look_at" TIMESTAMPTZ(3),

    CONSTRAINT "leaderships_pkey" PRIMARY KEY ("name")
);
