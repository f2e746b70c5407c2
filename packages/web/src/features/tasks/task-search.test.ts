import { describe, expect, it } from "vitest";
import { parseSearchText, stringifySearch } from "../../routes/search-text.ts";
import { NO_FILTER, type TaskFilter } from "./task-filter.ts";
import { fromFilter, parseTaskSearch, toFilter } from "./task-search.ts";

describe("the address of a filter", () => {
  it.each<TaskFilter>([
    NO_FILTER,
    { text: "a & b", statuses: ["todo", "done"], projectIds: ["p1", "none"], tags: ["x"], due: ["overdue", "none"] },
    { ...NO_FILTER, tags: ["with, comma", "back\\slash", "ümlaut"] },
  ])("says it and is read back the same", (filter) => {
    const address = stringifySearch(fromFilter(filter));
    expect(toFilter(parseTaskSearch(parseSearchText(address)))).toEqual(filter);
  });

  it("is readable", () => {
    expect(stringifySearch(fromFilter({ ...NO_FILTER, statuses: ["todo", "blocked"] }))).toBe("?status=todo,blocked");
  });

  it("drops what means nothing", () => {
    expect(parseTaskSearch({ status: "todo,nonsense", view: "cube", sort: "due", due: "someday" })).toEqual({
      status: "todo",
      sort: "due",
    });
  });
});
