/** What most hooks do not need: a file of its own, which they load when they do. */
export { askAbout } from "../approvals/ask-person.ts";
export { untilChangesAreKnown } from "./await-changes.ts";
export { askUnread } from "./unread-call.ts";
export { reportWait } from "../approvals/report-wait.ts";
export { findBrokenMemories, readCitations } from "../citations/project-citations.ts";
export { fetchServerSettings } from "../delivery/server-settings.ts";
export { steer } from "../steering/steer-session.ts";
export { writeMessages } from "../transcript/write-messages.ts";
export { printsKnownInstaller } from "../policy/detectors/known-installers.ts";
export { mayPrintVariables } from "../policy/detectors/printed-variables.ts";
export { effectOfSql, givenStatements } from "../effects/sql-effects.ts";
export { seldomTables } from "../effects/tables/seldom-tables.ts";
export { startedByEscape } from "../shell/embedded-scripts.ts";
export { startedByMultiplexer } from "../shell/multiplexers.ts";
export { readableScript } from "../shell/windows-script.ts";
export { readCode } from "../shell/read-code.ts";
