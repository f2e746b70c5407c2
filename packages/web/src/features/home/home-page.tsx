import { Link } from "@tanstack/react-router";
import { Sparkles } from "lucide-react";
import { Suspense, useDeferredValue, useMemo, useState } from "react";
import type { Client } from "../../client/client.ts";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { formatFullDay } from "../../dates/date-format.ts";
import { todayOf, type Day } from "../../dates/day.ts";
import { useToday } from "../../dates/use-now.ts";
import { Page } from "../shell/page.tsx";
import { useOpenTaskId } from "../shell/task-panel-url.ts";
import { TaskRow } from "../tasks/task-row.tsx";
import { countTasks, type Task } from "../tasks/task.ts";
import { useTaskShortcuts } from "../tasks/use-task-shortcuts.ts";
import { useTaskCursor, type TaskCursor } from "../tasks/use-task-cursor.ts";
import { ActivityFeed } from "./activity-feed.tsx";
import { isNewsworthy, newsQuery, useNews, type News } from "./news.ts";
import { SECTION_LIMIT, type HomeSection } from "./home-sections.ts";
import { requestHomeTasks, useHomeTasks } from "./use-home-tasks.ts";

const Overview = lazyPart(() => import("./overview.tsx"));
const RecentItems = lazyPart(() => import("./recent-items.tsx"));
const loadFirstSteps = () => import("./first-steps.tsx");
const FirstSteps = lazyPart(loadFirstSteps);
// After the first screen, since nothing is selected on it.
const BulkBar = lazyPart(() => import("../tasks/bulk-bar.tsx"), { afterData: true });

/** What matters today: what waits, what happened meanwhile, what is due, in progress and just done, and what was opened last. */
export default function HomePage() {
  const today = useToday();
  return (
    <Page title="Home">
      <HomeContent today={today} />
    </Page>
  );
}

export function requestData(client: Client): void {
  void client.queries.prefetchQuery(newsQuery(client));
  requestHomeTasks(client, todayOf(new Date()));
  // If they cannot be loaded, the page says so.
  void loadFirstSteps().then(
    ({ requestFirstSteps }) => requestFirstSteps(client),
    () => undefined,
  );
}

function HomeContent({ today }: { today: Day }) {
  const { tasks, sections, isLoading, isArriving, isComplete, isCounted, error, retry } = useHomeTasks(today);
  const ids = useMemo(() => sections.flatMap((section) => section.tasks.map((task) => task.id)), [sections]);
  const cursor = useTaskCursor(ids);
  useTaskShortcuts(cursor);
  const { news, isSettled } = useNews();
  const [areStepsKnown, setStepsKnown] = useState(false);
  const hasTasks = isAnyThere(tasks.values());
  // Shown together, so that nothing moves down, and asked for together.
  const isWaiting = isLoading || !isSettled;
  // Deferred, since React renders that in slices, between which the browser can do what else is waiting.
  const isReady = useDeferredValue(!isWaiting && !isArriving && areStepsKnown);
  if (!isWaiting && error !== null)
    return (
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-220 flex-col gap-8 px-2 pt-6 md:px-6">
          <Suspense>
            <Overview news={news} />
          </Suspense>
        </div>
        <ErrorState title="The tasks could not be loaded" error={error} onRetry={retry} />
      </div>
    );
  const hasNews = news !== undefined && isShown(news);
  const content = isReady && (
    <>
      {sections.map((section) => (
        <Section key={section.title} section={section} isCounted={isCounted} cursor={cursor} today={today} />
      ))}
      {ids.length === 0 && isComplete && <NothingDue hasTasks={hasTasks} />}
      <Suspense>
        <RecentItems />
      </Suspense>
      <ActivityFeed />
    </>
  );
  return (
    <>
      {isWaiting && <SkeletonRows />}
      <div hidden={isWaiting} className="relative min-h-0 flex-1">
        <div className="h-full overflow-y-auto pb-20">
          <div className="mx-auto flex max-w-220 flex-col gap-8 px-2 pt-6 md:px-6">
            <p className="px-2 text-20 font-semibold text-strong">{formatFullDay(today)}</p>
            {/* In one place from the beginning: leaving it would end what it asks for, which would be asked for again. */}
            <Suspense>
              <FirstSteps hasTasks={hasTasks} onKnown={() => setStepsKnown(true)} />
            </Suspense>
            {/* What comes below the news is shown with them, so that nothing moves down. */}
            <Suspense>
              {!isWaiting && areStepsKnown && <Overview news={news} />}
              {hasNews && content}
            </Suspense>
            {!hasNews && content}
          </div>
        </div>
        {!isWaiting && (
          <Suspense>
            <BulkBar cursor={cursor} />
          </Suspense>
        )}
      </div>
    </>
  );
}

function isAnyThere(tasks: Iterable<Task>): boolean {
  for (const { deletedAt } of tasks) if (deletedAt === null) return true;
  return false;
}

/** Whether the overview shows anything of the news. */
function isShown(news: News): boolean {
  return news.backupProblem !== null || news.memories.toReview > 0 || isNewsworthy(news);
}

interface SectionProps {
  readonly section: HomeSection;
  /** Whether the number of its tasks is known. */
  readonly isCounted: boolean;
  readonly cursor: TaskCursor;
  readonly today: Day;
}

function Section({ section, isCounted, cursor, today }: SectionProps) {
  const isPhone = useMediaQuery(PHONE);
  const openId = useOpenTaskId();
  const { title, tasks, total, search } = section;
  return (
    <section aria-label={title}>
      <h2 className="mb-1 flex items-baseline gap-2 px-2 text-13 font-medium text-strong">
        {title}
        <span className="tabular font-normal text-muted">{isCounted && total.toLocaleString("en")}</span>
      </h2>
      <div role="grid" aria-label={title} className="overflow-hidden rounded-panel border border-border">
        {tasks.map((task, index) => (
          <div key={task.id} role="presentation" className="min-h-(--row-height) border-border py-px not-last:border-b">
            <div role="presentation" className="h-(--row-height) max-md:h-14">
              <TaskRow
                task={task}
                today={today}
                isPhone={isPhone}
                isCursor={task.id === cursor.cursorId}
                isTabStop={task.id === (cursor.cursorId ?? tasks[0]?.id)}
                isSelected={cursor.selectedIds.has(task.id)}
                isSelecting={cursor.selectedIds.size > 0}
                isEditing={task.id === cursor.editingId}
                isOpen={task.id === openId}
                focusRequest={cursor.focusRequest}
                hasProject
                rowIndex={index + 1}
                actions={cursor.actions}
              />
            </div>
          </div>
        ))}
      </div>
      {total > SECTION_LIMIT && (
        <Link
          to="/tasks"
          search={search}
          className="mt-2 inline-block px-2 text-13 font-medium text-accent-text hover:underline"
        >
          {isCounted ? `Show all ${countTasks(total)}` : "Show all"}
        </Link>
      )}
    </section>
  );
}

function NothingDue({ hasTasks }: { readonly hasTasks: boolean }) {
  return (
    <EmptyState
      icon={<Sparkles size={20} />}
      title="Nothing due"
      action={
        hasTasks && (
          <Link to="/tasks" className="font-medium text-accent-text hover:underline">
            See all tasks
          </Link>
        )
      }
    >
      Tasks appear here when they are due within a week, in progress, or just done.
    </EmptyState>
  );
}
