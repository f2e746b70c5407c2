/** How a password is set without mail. */
export function ResetCommand() {
  return (
    <>
      Whoever runs this server sets a new one with{" "}
      <code className="font-mono text-13 break-words">npx workspace user reset-password</code>.
    </>
  );
}
