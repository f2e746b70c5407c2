import type { TextSaving } from "./use-text-saving.ts";

/** What has become of what was typed, where it is not simply saved. */
export function SavingNote({ saving: { state, save, giveUp } }: { readonly saving: TextSaving }) {
  const isAsking = state.kind === "failed" || state.kind === "left";
  return (
    <p role="status" className="mt-1 text-12 empty:hidden">
      {state.kind === "failed" && <span className="text-danger">Not saved: {state.message} </span>}
      {state.kind === "left" && <span className="text-warning">Written earlier and not saved. </span>}
      {isAsking && (
        <>
          <NoteButton onClick={() => void save()}>{state.kind === "failed" ? "Try again" : "Save"}</NoteButton>{" "}
          <NoteButton onClick={giveUp}>Give up the change</NoteButton>
        </>
      )}
    </p>
  );
}

function NoteButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" className="ml-1 font-medium text-accent-text underline" onClick={onClick}>
      {children}
    </button>
  );
}
