import { describe, expect, it } from "vitest";
import { parseSearchText, stringifySearch } from "../../routes/search-text.ts";
import { NO_FILTER, type TaskFilter } from "./task-filter.ts";
import { fromFilter, parseTaskSearch, toFilter } from "./task-search.ts";

describe("the URL of a filter", () => {
  it.each<TaskFilter>([
    NO_FILTER,
    {
      text: "a & b",
      statuses: ["todo", "done"],
      projectIds: ["p1", "none"],
      tags: ["x"],
      due: ["overdue", "none"],
      isSnoozed: true,
    },
    { ...NO_FILTER, tags: ["with, comma", "back\\slash", "ümlaut"] },
  ])("round-trips the filter", (filter) => {
    const search = stringifySearch(fromFilter(filter));
    expect(toFilter(parseTaskSearch(parseSearchText(search)))).toEqual(filter);
  });

  it("is readable", () => {
    expect(stringifySearch(fromFilter({ ...NO_FILTER, statuses: ["todo", "blocked"] }))).toBe("?status=todo,blocked");
  });

  it("drops invalid values", () => {
    expect(parseTaskSearch({ status: "todo,nonsense", view: "cube", sort: "due", due: "someday" })).toEqual({
      status: "todo",
      sort: "due",
    });
  });
});
