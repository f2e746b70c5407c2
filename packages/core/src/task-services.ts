import { createTaskSessionService } from "./assistants/task-sessions/task-sessions.service.ts";
import { findNamedNotes, findNotesNamedIn } from "./knowledge/documents/named-notes.ts";
import {
  createCalendarFeedService,
  type CalendarFeedServiceDeps,
} from "./work/calendar-feeds/calendar-feed.service.ts";
import { createCalendarObjectService } from "./work/calendar-objects/calendar-object.service.ts";
import { createTaskActivityService } from "./work/task-activity/task-activity.service.ts";
import { createTaskCommentService, type TaskCommentServiceDeps } from "./work/task-activity/task-comment.service.ts";
import { createTaskChecklistService } from "./work/task-checklist/task-checklist.service.ts";
import { createTaskImportService } from "./work/task-import/task-import.service.ts";
import { createTaskLinkService } from "./work/task-links/task-links.service.ts";
import { createTaskOrderService } from "./work/task-order/task-order.service.ts";
import { createTaskBlockService } from "./work/task-queue/task-blocks.service.ts";
import { createTaskHandOverService } from "./work/task-queue/task-hand-over.service.ts";
import { createTaskQueueService } from "./work/task-queue/task-queue.service.ts";
import { createTaskViewService } from "./work/task-views/task-view.service.ts";
import { createTaskGroupService } from "./work/tasks/task-group.service.ts";
import { createReminderDefaultService } from "./work/task-reminders/reminder-default.service.ts";
import { createReminderPushes, type ReminderPushesDeps } from "./work/task-reminders/reminder-pushes.ts";
import { createTaskReminderService } from "./work/task-reminders/task-reminder.service.ts";
import { createTaskService, type TaskServiceDeps } from "./work/tasks/task.service.ts";

export type TaskServicesDeps = TaskCommentServiceDeps &
  ReminderPushesDeps &
  CalendarFeedServiceDeps &
  Omit<TaskServiceDeps, "findNamedNotes">;

/** Builds the services that work with tasks, those at the bottom first. */
export function createTaskServices(deps: TaskServicesDeps) {
  const tasks = createTaskService({ ...deps, findNamedNotes: (text) => findNamedNotes(deps.db.pool, text) });
  const taskBlocks = createTaskBlockService(deps);
  const taskChecklist = createTaskChecklistService({ ...deps, tasks });
  const taskLinks = createTaskLinkService({ ...deps, taskChecklist });
  return {
    tasks,
    taskQueue: createTaskQueueService(deps),
    taskHandOver: createTaskHandOverService(deps),
    taskGroups: createTaskGroupService(deps),
    taskViews: createTaskViewService(deps),
    taskBlocks,
    taskChecklist,
    taskLinks,
    taskOrder: createTaskOrderService(deps),
    taskActivity: createTaskActivityService({ ...deps, tasks, taskBlocks, taskChecklist, taskLinks }),
    taskComments: createTaskCommentService(deps),
    taskReminders: createTaskReminderService(deps),
    reminderDefaults: createReminderDefaultService(deps),
    reminderPushes: createReminderPushes(deps),
    taskImport: createTaskImportService({
      ...deps,
      findNotesNamedIn: (texts) => findNotesNamedIn(deps.db.pool, texts),
    }),
    taskSessions: createTaskSessionService(deps),
    calendarFeeds: createCalendarFeedService(deps),
    calendarObjects: createCalendarObjectService({ ...deps, tasks }),
  };
}
