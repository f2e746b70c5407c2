import { PRIORITY_LABELS, type Priority } from "./task.ts";

const BARS = [
  { x: 2, y: 9, height: 5 },
  { x: 6.5, y: 6, height: 8 },
  { x: 11, y: 3, height: 11 },
];

/** Shows a priority by the number of full bars; the highest is also coloured. */
export function PriorityIcon({
  priority,
  hasName = false,
}: {
  readonly priority: Priority;
  readonly hasName?: boolean;
}) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={16}
      height={16}
      className={`shrink-0 ${priority === 3 ? "text-danger" : "text-muted"}`}
      {...(hasName ? { role: "img", "aria-label": `${PRIORITY_LABELS[priority]} priority` } : { "aria-hidden": true })}
    >
      {BARS.map((bar, index) => (
        <rect key={bar.x} {...bar} width="3" rx="1" fill="currentColor" opacity={index < priority ? 1 : 0.28} />
      ))}
    </svg>
  );
}
