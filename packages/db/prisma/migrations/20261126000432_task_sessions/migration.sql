-- CreateTable
CREATE TABLE "task_sessions" (
    "task_id" UUID NOT NULL,
    "session_id" TEXT NOT NULL,
    "named_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "task_sessions_pkey" PRIMARY KEY ("task_id","session_id")
);
