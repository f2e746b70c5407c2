-- Tools take the names of the procedures behind them, and agents keep their choice under the new names.
-- Locks the rows of agents that chose tools, a handful, for one statement.
WITH renamed (former_name, new_name) AS (
  VALUES
    ('list_tasks', 'tasks_list'),
    ('get_task', 'tasks_get'),
    ('list_task_tags', 'tasks_tags'),
    ('create_task', 'tasks_create'),
    ('restore_task', 'tasks_restore'),
    ('update_task', 'tasks_update'),
    ('delete_task', 'tasks_delete'),
    ('list_projects', 'projects_list'),
    ('create_project', 'projects_create'),
    ('update_project', 'projects_update'),
    ('search_documents', 'documents_search'),
    ('restore_document', 'documents_restore'),
    ('list_files', 'fs_list'),
    ('read_file', 'fs_read'),
    ('rename_file', 'fs_rename'),
    ('write_file', 'fs_write'),
    ('delete_file', 'fs_delete'),
    ('search_memories', 'memory_search'),
    ('store_memory', 'memory_store'),
    ('delete_memory', 'memory_delete')
)
UPDATE "agents" SET "tools" = ARRAY(
  SELECT COALESCE(renamed.new_name, chosen.name)
  FROM unnest("agents"."tools") WITH ORDINALITY AS chosen (name, place)
  LEFT JOIN renamed ON renamed.former_name = chosen.name
  ORDER BY chosen.place
)
WHERE "tools" && ARRAY(SELECT former_name FROM renamed);
