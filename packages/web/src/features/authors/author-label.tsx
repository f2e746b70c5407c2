import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Author } from "@workspace/core";

const LINK = "text-accent-text underline";

/** Who changed something, and through what; agents, sessions and conversations are linked. */
export function AuthorLabel({ author }: { readonly author: Author }) {
  const { name, agentId, runId, sessionId, conversationId } = author;
  switch (author.kind) {
    case "person":
      return <span className="font-medium text-strong">{name}</span>;
    case "agent":
      return (
        <Named name={name} kind="agent">
          {agentId !== undefined && (
            <Link to="/agents/$agentId" params={{ agentId }} search={searchOf({ run: runId })} className={LINK}>
              agent
            </Link>
          )}
        </Named>
      );
    case "chat":
      return (
        <Named name={name} kind="chat">
          {conversationId !== undefined && (
            <Link to="/chat" search={searchOf({ conversation: conversationId })} className={LINK}>
              chat
            </Link>
          )}
        </Named>
      );
    case "assistant":
      return (
        <Named name={name} kind="assistant">
          {sessionId !== undefined && (
            <Link to="/hooks/sessions/$sessionId" params={{ sessionId }} className={LINK}>
              assistant
            </Link>
          )}
        </Named>
      );
    case "program":
      return <Named name={name} kind="program" />;
  }
}

/** Who changed something, and through what, where there can be no links. */
export function describeAuthor({ kind, name }: Author): string {
  return kind === "person" ? name : `${name} (${kind})`;
}

/** A name that is not a person's, with what it is the name of: as a link, if there is one. */
function Named({ name, kind, children }: { name: string; kind: string; children?: ReactNode }) {
  return (
    <>
      <span className="font-medium text-strong">{name}</span>{" "}
      <span className="text-muted">({children === undefined || children === false ? kind : children})</span>
    </>
  );
}

/** The part of the URL that opens something on its page; without what is not known. */
function searchOf(parameters: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
