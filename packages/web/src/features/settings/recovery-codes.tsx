import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Recovery codes, which are shown once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const text = `${codes.join("\n")}\n`;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-normal">
        Without your phone, each of these signs you in once. Keep them where you find them then, for example in a
        password manager or on paper. They are not shown again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-panel border border-border p-3"
      >
        {codes.map((code) => (
          <li key={code} className="font-mono text-13 text-strong">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyButton text={text} what="the recovery codes" size="normal" />
        <a
          className="inline-flex h-(--control-height) items-center rounded-control px-3 text-normal hover:bg-hover"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="workspace-recovery-codes.txt"
        >
          Download
        </a>
        <Button tone="primary" onClick={onDone}>
          I have kept them
        </Button>
      </div>
    </div>
  );
}
