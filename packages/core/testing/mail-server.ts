import { once } from "node:events";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

/** A mail as the server got it: to whom, and all of its lines, headers first, with long ones put together again. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly source: string;
}

const USER = { name: "workspace", password: "the password of the mail server" };

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** A mail server that others wrote, on this machine. It wants a password, and keeps what it gets. */
export async function startMailServer() {
  const received: ReceivedMail[] = [];
  const refusals: string[] = [];
  let refusal: Error | undefined;
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === USER.name && password === USER.password
        ? done(null, { user: username })
        : done(new Error("wrong user or password")),
    onRcptTo({ address }, _session, done) {
      if (refusal !== undefined) refusals.push(address);
      done(refusal);
    },
    onData(stream, { envelope }, done) {
      text(stream).then(
        (source) => {
          const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
          const to = envelope.rcptTo.map(({ address }) => address);
          received.push({ from, to, source: source.replaceAll("=\r\n", "") });
          done();
        },
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const urlFor = (password: string): string => `smtp://${USER.name}:${encodeURIComponent(password)}@localhost:${port}`;

  return {
    /** The variables with which a workspace uses it. */
    env: { SMTP_URL: urlFor(USER.password), MAIL_FROM: "Workspace <workspace@example.com>" },
    /** The same with a wrong password. */
    wrongUrl: urlFor("wrong"),
    received,
    /** For whom it took no mail. */
    refusals,
    /** Has it take no mail for now: with a code below 500, only for a while. */
    refuse(code: number | null): void {
      refusal = code === null ? undefined : Object.assign(new Error("not now"), { responseCode: code });
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
