-- CreateIndex
CREATE INDEX "task_sessions_session_id_idx" ON "task_sessions"("session_id");
