import { Fragment } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { Kbd } from "../../components/kbd.tsx";
import { PAGES } from "../../routes/pages.ts";
import { SHORTCUT_GROUPS, SHORTCUTS } from "../../shortcuts/shortcut-table.ts";

/** A list of all shortcuts. */
export default function ShortcutMap({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} className="md:max-w-180">
      <div className="gap-8 md:columns-2">
        {SHORTCUT_GROUPS.map((group) => (
          <ShortcutGroup
            key={group}
            title={group}
            rows={Object.values(SHORTCUTS).filter((shortcut) => shortcut.group === group)}
          />
        ))}
        <ShortcutGroup title="Go to" rows={PAGES.map(({ title, goKey }) => ({ label: title, keys: [`g ${goKey}`] }))} />
      </div>
    </Dialog>
  );
}

interface ShortcutGroupProps {
  readonly title: string;
  readonly rows: readonly { readonly label: string; readonly keys: readonly string[] }[];
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
