import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { moveView } from "./view-actions.ts";
import { useViews } from "./view-collection.ts";
import { ViewIcon } from "./view-icon.tsx";

/** The saved views in the sidebar, in their order, which dragging changes; nothing if there are none. */
export default function SidebarViews({ linkClass }: { readonly linkClass: string }) {
  const client = useClient();
  const { rows: views } = useViews();
  const [target, setTarget] = useState<string | null>(null);
  if (views.length === 0) return null;
  return (
    <section aria-labelledby="sidebar-views" className="flex flex-col">
      <h2 id="sidebar-views" className="pb-1 pl-2 text-12 font-medium text-muted">
        <Link to="/views" className="hover:text-strong">
          Views
        </Link>
      </h2>
      <ul className="flex flex-col gap-px">
        {views.map((view) => (
          <li
            key={view.id}
            className={target === view.id ? "border-t-2 border-accent-text" : ""}
            draggable
            onDragStart={(event) => event.dataTransfer.setData("text/view", view.id)}
            onDragOver={(event) => {
              if (!event.dataTransfer.types.includes("text/view")) return;
              event.preventDefault();
              setTarget(view.id);
            }}
            onDragLeave={() => setTarget(null)}
            onDrop={(event) => {
              event.preventDefault();
              setTarget(null);
              const id = event.dataTransfer.getData("text/view");
              if (id !== "" && id !== view.id) void moveView(client, views, id, view.id);
            }}
          >
            <Link
              to="/views/$viewId"
              params={{ viewId: view.id }}
              activeOptions={{ includeSearch: false }}
              className={linkClass}
            >
              <ViewIcon view={view} />
              <span className="min-w-0 flex-1 truncate">{view.name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
