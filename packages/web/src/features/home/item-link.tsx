import { useRouter } from "@tanstack/react-router";
import type { MouseEvent, ReactNode } from "react";
import { atBase } from "../../browser/base-path.ts";
import { useOpenTask } from "../shell/task-panel-url.ts";

interface ItemLinkProps {
  readonly href: string;
  /** Opened beside this page instead of on its own. */
  readonly taskId?: string | undefined;
  readonly className: string;
  readonly children: ReactNode;
}

/** A link to something of any kind, whose address is only known as a text. */
export function ItemLink({ href, taskId, className, children }: ItemLinkProps) {
  const { history } = useRouter();
  const url = atBase(href);
  const openTask = useOpenTask();
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (taskId === undefined) history.push(url);
    else openTask(taskId);
  };
  return (
    <a href={url} className={`hover:underline ${className}`} onClick={open}>
      {children}
    </a>
  );
}
