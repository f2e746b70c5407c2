/** A project's colour; always shown beside its name. */
export function ProjectDot({ color, size = 10 }: { readonly color: string; readonly size?: number }) {
  return (
    <span
      aria-hidden
      className="project-color inline-block shrink-0 rounded-[3px] bg-current"
      style={{ "--project-color": color, width: size, height: size }}
    />
  );
}
