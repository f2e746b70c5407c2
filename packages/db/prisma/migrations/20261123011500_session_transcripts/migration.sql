-- CreateTable
CREATE TABLE "session_transcripts" (
    "session_id" TEXT NOT NULL,
    "project_path" TEXT,
    "turn_count" INTEGER NOT NULL DEFAULT 0,
    "character_count" INTEGER NOT NULL DEFAULT 0,
    "is_complete" BOOLEAN NOT NULL DEFAULT true,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "session_transcripts_pkey" PRIMARY KEY ("session_id")
);

-- CreateTable
CREATE TABLE "session_transcript_parts" (
    "session_id" TEXT NOT NULL,
    "first_position" INTEGER NOT NULL,
    "turn_count" INTEGER NOT NULL,
    "turns" BYTEA NOT NULL,
    "keys" BYTEA NOT NULL,

    CONSTRAINT "session_transcript_parts_pkey" PRIMARY KEY ("session_id","first_position")
);

-- CreateIndex
CREATE INDEX "session_transcripts_updated_at_idx" ON "session_transcripts"("updated_at");

-- AddForeignKey
ALTER TABLE "session_transcript_parts" ADD CONSTRAINT "session_transcript_parts_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session_transcripts"("session_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The turns are compressed already.
ALTER TABLE "session_transcript_parts" ALTER COLUMN "turns" SET STORAGE EXTERNAL;
