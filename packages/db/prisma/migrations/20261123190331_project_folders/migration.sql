-- CreateTable
CREATE TABLE "project_folders" (
    "folder" TEXT NOT NULL,
    "project" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "project_folders_pkey" PRIMARY KEY ("folder")
);

-- The folders that are known already. The starts of sessions are found by an index, so a million events take about a second; hook
-- events are recorded meanwhile.
INSERT INTO "project_folders" ("folder", "project", "seen_at")
SELECT DISTINCT ON ("folder") "folder", "project", "created_at" FROM (
  SELECT "root" AS "folder", "project", "created_at" FROM "file_touches"
  UNION ALL
  SELECT regexp_replace("project_dir", '(?<!/)/+$', ''), regexp_replace("event_data" ->> 'project', '(?<!/)/+$', ''), "created_at"
  FROM "hook_events" WHERE "event_type" = 'SessionStart'
) AS "seen"
WHERE "folder" ~ '^(/|[A-Za-z]:[\\/])' AND "project" <> '' AND length("folder") <= 400 AND length("project") <= 400
ORDER BY "folder", "folder" = "project", "created_at" DESC;
