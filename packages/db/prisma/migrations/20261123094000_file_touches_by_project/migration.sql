DROP INDEX "file_touches_written_keys_idx";

-- With the project among the keys, a line that all projects have is found in one of them.
-- Locks the table against writes while it is built: about four seconds for 150,000 rows.
CREATE INDEX "file_touches_project_keys_idx" ON "file_touches"
  USING GIN (array_append("written_keys", ('x' || left(md5("project"), 8))::bit(32)::int)) WITH (fastupdate = off);
