import { clsx } from "clsx";
import { ChartColumn, Table } from "lucide-react";
import { useRef, useState, type PointerEvent } from "react";
import { Segmented } from "../components/segmented.tsx";
import { formatCount } from "../numbers/number-format.ts";
import type { ChartBar, ChartSeries } from "./chart-data.ts";
import { axisTicks, labelledIndices } from "./chart-scale.ts";
import { ChartTable } from "./chart-table.tsx";
import { useWidth } from "./use-width.ts";

interface BarChartProps {
  readonly title: string;
  /** What is counted, for example "events". Labels the axis. */
  readonly unit: string;
  /** What a bar stands for, for example "Day". Heads the table's first column. */
  readonly barName: string;
  readonly series: readonly ChartSeries[];
  readonly bars: readonly ChartBar[];
  /** Formats a value; as a count by default. */
  readonly formatValue?: (value: number) => string;
  /** The smallest distance between two lines of the axis. */
  readonly smallestStep?: number;
}

const VIEWS = [
  { value: "chart", label: "Chart", icon: <ChartColumn size={16} /> },
  { value: "table", label: "Table", icon: <Table size={16} /> },
] as const;

/** Stacked bars over time; exact values are shown under the pointer and as a table. */
export function BarChart(props: BarChartProps) {
  const { title, series, bars, formatValue = formatCount } = props;
  const [view, setView] = useState<"chart" | "table">("chart");
  const [hovered, setHovered] = useState<number | null>(null);
  const bar = hovered === null ? undefined : bars[hovered];
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-3 rounded-panel border border-border p-4">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="text-14 font-semibold text-strong">{title}</h2>
        <ul className="flex gap-4 text-12 text-muted">
          {series.map(({ name, color }, index) => (
            <li key={name} className="flex items-center gap-1.5">
              <span aria-hidden className={clsx("size-2.5 rounded-[3px] bg-current", color)} />
              {name}
              {bar !== undefined && (
                <span className="tabular font-medium text-strong">{formatValue(bar.values[index] ?? 0)}</span>
              )}
            </li>
          ))}
        </ul>
        <span className="text-12 text-strong">{bar?.exactLabel}</span>
        <div className="ml-auto">
          <Segmented label="Show as" value={view} options={VIEWS} onChange={(next) => setView(next)} />
        </div>
      </header>
      {view === "chart" ? (
        <Bars {...props} hovered={hovered} onHover={setHovered} />
      ) : (
        <ChartTable caption={title} barName={props.barName} series={series} bars={bars} formatValue={formatValue} />
      )}
    </section>
  );
}

const HEIGHT_PX = 180;
const AXIS_WIDTH_PX = 44;
const AXIS_HEIGHT_PX = 22;
const TOP_PX = 18;
const LABEL_GAP_PX = 56;
const MAX_BAR_PX = 40;

interface BarsProps extends BarChartProps {
  readonly hovered: number | null;
  readonly onHover: (index: number | null) => void;
}

function Bars(props: BarsProps) {
  const { title, unit, series, bars, hovered, onHover, formatValue = formatCount, smallestStep } = props;
  const ref = useRef<HTMLDivElement>(null);
  const width = useWidth(ref);
  const ticks = axisTicks(Math.max(0, ...bars.map(totalOf)), smallestStep);
  const top = ticks.at(-1) ?? 1;
  const plotWidth = Math.max(0, width - AXIS_WIDTH_PX);
  const slot = bars.length === 0 ? 0 : plotWidth / bars.length;
  const yOf = (value: number) => TOP_PX + (1 - value / top) * (HEIGHT_PX - TOP_PX - AXIS_HEIGHT_PX);

  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - AXIS_WIDTH_PX;
    const index = Math.floor(x / slot);
    onHover(index >= 0 && index < bars.length ? index : null);
  };
  return (
    <div ref={ref} className="min-w-0" style={{ height: HEIGHT_PX }}>
      <svg
        role="img"
        aria-label={`${title}: ${formatValue(bars.reduce((sum, bar) => sum + totalOf(bar), 0))} ${unit} in ${bars.length} columns. Also available as a table.`}
        width={width}
        height={HEIGHT_PX}
        className="block overflow-visible text-12 select-none"
        onPointerMove={onPointerMove}
        onPointerLeave={() => onHover(null)}
      >
        <text x={AXIS_WIDTH_PX - 8} y={8} textAnchor="end" className="fill-muted">
          {unit}
        </text>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={AXIS_WIDTH_PX} x2={width} y1={yOf(tick)} y2={yOf(tick)} className="stroke-border" />
            <text x={AXIS_WIDTH_PX - 8} y={yOf(tick) + 4} textAnchor="end" className="tabular fill-muted">
              {formatValue(tick)}
            </text>
          </g>
        ))}
        {hovered !== null && (
          <rect
            x={AXIS_WIDTH_PX + hovered * slot}
            y={TOP_PX}
            width={slot}
            height={HEIGHT_PX - TOP_PX - AXIS_HEIGHT_PX}
            className="fill-hover"
          />
        )}
        {bars.map((bar, index) => (
          <Stack
            key={bar.exactLabel}
            bar={bar}
            series={series}
            center={AXIS_WIDTH_PX + (index + 0.5) * slot}
            width={Math.min(MAX_BAR_PX, slot * 0.7)}
            yOf={yOf}
          />
        ))}
        {labelledIndices(bars.length, plotWidth, LABEL_GAP_PX).map((index) => (
          <text
            key={index}
            x={AXIS_WIDTH_PX + (index + 0.5) * slot}
            y={HEIGHT_PX - 4}
            textAnchor="middle"
            className="fill-muted"
          >
            {bars[index]?.label}
          </text>
        ))}
      </svg>
    </div>
  );
}

interface StackProps {
  readonly bar: ChartBar;
  readonly series: readonly ChartSeries[];
  readonly center: number;
  readonly width: number;
  readonly yOf: (value: number) => number;
}

function Stack({ bar, series, center, width, yOf }: StackProps) {
  return series.map(({ name, color }, index) => {
    const below = bar.values.slice(0, index).reduce((sum, value) => sum + value, 0);
    const value = bar.values[index] ?? 0;
    if (value === 0) return null;
    const y = yOf(below + value);
    return (
      <rect
        key={name}
        x={center - width / 2}
        y={y}
        width={width}
        // Any non-zero value must be visible, however small it is beside the rest.
        height={Math.max(1.5, yOf(below) - y)}
        rx={1.5}
        className={clsx("fill-current", color)}
      />
    );
  });
}

function totalOf(bar: ChartBar): number {
  return bar.values.reduce((sum, value) => sum + value, 0);
}
