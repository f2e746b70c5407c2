import { Fragment } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { Kbd } from "../../components/kbd.tsx";
import { PAGES } from "../../routes/pages.ts";
import { SHORTCUT_KEYS } from "../../shortcuts/shortcut-keys.ts";
import { SHORTCUT_GROUPS, SHORTCUT_IDS, SHORTCUTS } from "../../shortcuts/shortcut-table.ts";

interface ShortcutRow {
  readonly label: string;
  readonly keys: readonly string[];
}

/** Keys that are not the page's, but of what has the focus there. */
const ELSEWHERE: Readonly<Record<string, readonly ShortcutRow[]>> = {
  Lists: [{ label: "Show what can be done with the row, like a right click", keys: ["shift+f10", "contextmenu"] }],
  Files: [
    { label: "Go through the outline or the tags, and to one", keys: ["arrowdown", "arrowup", "enter"] },
    { label: "Rename the tag", keys: ["f2"] },
    { label: "Make the focused divider of panes wider or narrower", keys: ["arrowleft", "arrowright"] },
  ],
  Editor: [
    { label: "Insert a block, a template or a table", keys: ["/"] },
    { label: "Link to a note, a heading or a block", keys: ["[+["] },
    { label: "Show a note or a file in the text", keys: ["!+[+["] },
    { label: "Tag the note", keys: ["#"] },
    { label: "Indent, or less", keys: ["tab", "shift+tab"] },
    { label: "Find the next, or the one before", keys: ["f3", "shift+f3"] },
    { label: "Go to a line", keys: ["mod+alt+g"] },
    { label: "Leave the text, so that single keys work", keys: ["escape"] },
  ],
  Chat: [
    { label: "Mention a note, a task or a memory", keys: ["@"] },
    { label: "Attach a copied picture, or a text too long for a message", keys: ["mod+v"] },
    { label: "Send an edited message, or leave it as it was", keys: ["mod+enter", "escape"] },
  ],
};

/** A list of all shortcuts. */
export default function ShortcutMap({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} className="md:max-w-180">
      <div className="gap-8 md:columns-2">
        {SHORTCUT_GROUPS.map((group) => (
          <ShortcutGroup key={group} title={group} rows={[...rowsOf(group), ...(ELSEWHERE[group] ?? [])]} />
        ))}
        <ShortcutGroup title="Go to" rows={PAGES.map(({ title, goKey }) => ({ label: title, keys: [`g ${goKey}`] }))} />
      </div>
      <p className="text-13 text-muted">
        Without a connection, you can read what this browser has kept and change tasks and notes. The changes are sent
        when the server is back. Signing out removes what is kept.
      </p>
    </Dialog>
  );
}

function rowsOf(group: (typeof SHORTCUT_GROUPS)[number]): ShortcutRow[] {
  return SHORTCUT_IDS.filter((id): boolean => SHORTCUTS[id].group === group).map((id) => ({
    label: SHORTCUTS[id].label,
    keys: SHORTCUT_KEYS[id],
  }));
}

interface ShortcutGroupProps {
  readonly title: string;
  readonly rows: readonly ShortcutRow[];
}

function ShortcutGroup({ title, rows }: ShortcutGroupProps) {
  return (
    <section className="mb-5 break-inside-avoid">
      <h3 className="mb-1 text-12 font-medium text-muted">{title}</h3>
      <dl>
        {rows.map(({ label, keys }) => (
          <div key={label} className="flex items-center justify-between gap-4 py-1">
            <dt className="text-13 text-strong">{label}</dt>
            <dd className="flex items-center gap-1.5 text-12 text-muted">
              {keys.map((alternative, index) => (
                <Fragment key={alternative}>
                  {index > 0 && "or"}
                  <Kbd keys={alternative} />
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
