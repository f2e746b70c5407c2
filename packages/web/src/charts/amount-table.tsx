import type { ReactNode } from "react";

export interface AmountRow {
  readonly key: string;
  readonly name: ReactNode;
  /** The relative length of the bar behind the name. */
  readonly weight: number;
  readonly cells: readonly ReactNode[];
}

interface AmountTableProps {
  readonly title: string;
  readonly nameColumn: string;
  readonly columns: readonly string[];
  readonly rows: readonly AmountRow[];
  /** Shown if there are no rows. */
  readonly empty: string;
  /** Below the rows. */
  readonly children?: ReactNode;
}

/** Amounts by name, largest first, with a bar behind each name. */
export function AmountTable({ title, nameColumn, columns, rows, empty, children }: AmountTableProps) {
  const most = Math.max(...rows.map((row) => row.weight), Number.MIN_VALUE);
  return (
    <section aria-label={title} className="min-w-0 rounded-panel border border-border p-4">
      <h2 className="mb-2 text-14 font-semibold text-strong">{title}</h2>
      {rows.length === 0 && <p className="text-13 text-muted">{empty}</p>}
      {rows.length > 0 && (
        <table className="w-full table-fixed text-13">
          <thead>
            <tr className="border-b border-border text-12 text-muted">
              <th scope="col" className="px-1.5 py-1.5 text-left font-medium">
                {nameColumn}
              </th>
              {columns.map((column) => (
                <th key={column} scope="col" className="w-19 py-1.5 text-right font-medium">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, weight, cells }) => (
              <tr key={key} className="hover:bg-hover">
                <th scope="row" className="relative py-1.5 pr-2 text-left font-normal">
                  <span
                    aria-hidden
                    className="absolute inset-y-0.5 left-0 rounded-[3px] bg-accent-soft"
                    style={{ width: `${(weight / most) * 100}%` }}
                  />
                  <div className="relative truncate px-1.5 text-strong">{name}</div>
                </th>
                {cells.map((cell, index) => (
                  <td key={columns[index]} className="tabular py-1.5 text-right text-strong">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {children}
    </section>
  );
}
