import type { TextSaving } from "./use-text-saving.ts";

/** The state of saving, if the text is not simply saved. */
export function SaveNotice({ saving: { state, save, overwrite, discard } }: { readonly saving: TextSaving }) {
  return (
    <div role="status" className="mt-1 text-12 empty:hidden">
      {state.kind === "failed" && (
        <>
          <span className="text-danger">Not saved: {state.message} </span>
          <NoticeButton onClick={() => void save()}>Try again</NoticeButton>{" "}
          <NoticeButton onClick={discard}>Discard change</NoticeButton>
        </>
      )}
      {state.kind === "recovered" && (
        <>
          <span className="text-warning">Unsaved from an earlier visit. </span>
          <NoticeButton onClick={() => void save()}>Save</NoticeButton>{" "}
          <NoticeButton onClick={discard}>Discard change</NoticeButton>
        </>
      )}
      {state.kind === "conflict" && (
        <>
          <span className="text-warning">Not saved: this was changed elsewhere while you were editing it. </span>
          <NoticeButton onClick={() => void overwrite()}>Save mine</NoticeButton>{" "}
          <NoticeButton onClick={discard}>Keep theirs</NoticeButton>
          <p className="mt-1 max-h-40 overflow-y-auto rounded-control border border-border px-2 py-1 [overflow-wrap:anywhere] whitespace-pre-wrap">
            {state.theirs === "" ? "The other change removed the text." : state.theirs}
          </p>
        </>
      )}
    </div>
  );
}

function NoticeButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" className="ml-1 font-medium text-accent-text underline" onClick={onClick}>
      {children}
    </button>
  );
}
