import { BackupProblem } from "./backup-problem.tsx";
import { CallsToDecide } from "./calls-to-decide.tsx";
import { MemoriesToReview } from "./memories-to-review.tsx";
import { isNewsworthy, type News } from "./news.ts";
import { NewsSection } from "./news-section.tsx";
import { SessionsAtWork } from "./sessions-at-work.tsx";

/** What waits for the person, and what happened without them. Whatever there is none of is not shown. */
export default function Overview({ news }: { readonly news: News | undefined }) {
  return (
    <>
      {news !== undefined && news.backupProblem !== null && <BackupProblem problem={news.backupProblem} />}
      <CallsToDecide />
      {news !== undefined && isNewsworthy(news) && <NewsSection news={news} />}
      {news !== undefined && news.memories.toReview > 0 && <MemoriesToReview count={news.memories.toReview} />}
      <SessionsAtWork />
    </>
  );
}
