import { expect, test } from "vitest";
import { itemAt } from "./item-at.ts";

test.each([
  ["/tasks?task=1", { kind: "task", id: "1" }],
  ["/documents?doc=2&task=1", { kind: "task", id: "1" }],
  ["/documents?doc=2&beside=3", { kind: "document", id: "2" }],
  ["/chat?conversation=3", { kind: "conversation", id: "3" }],
  ["/memory?memory=4", { kind: "memory", id: "4" }],
  ["/projects/5", { kind: "project", id: "5" }],
  ["/hooks/sessions/a%2Fb", { kind: "session", id: "a/b" }],
  ["/agents/6?run=7", { kind: "agent", id: "6" }],
  ["/documents", null],
  ["/agents", null],
  ["/", null],
])("%s shows %j", (href, item) => expect(itemAt(href)).toEqual(item));
