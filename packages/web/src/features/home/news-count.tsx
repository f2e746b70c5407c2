import { formatCount } from "../../numbers/number-format.ts";
import { useNews } from "./news.ts";

/** In the navigation: how much others changed that the person has not opened yet. */
export default function NewsCount() {
  const { news } = useNews();
  const count = news?.totalItems ?? 0;
  if (count === 0) return null;
  return (
    <span className="tabular ml-auto text-12 font-normal text-muted">
      {count > 99 ? "99+" : formatCount(count)}
      <span className="sr-only"> unread</span>
    </span>
  );
}
