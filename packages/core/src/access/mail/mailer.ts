import { setTimeout as wait } from "node:timers/promises";
import type { Transporter } from "nodemailer";
import type { Deps } from "../../platform/deps.ts";

/** How mail is sent. */
export interface MailSettings {
  /** The server, with user and password, such as `smtps://user:password@mail.example.com`. */
  readonly url: string;
  /** The sender, an address, or a name and an address in angle brackets. */
  readonly from: string;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail through the configured server. */
export interface Mailer {
  /** Sends it in the background, more than once if the server is away for a moment. Failures are logged. */
  sendLater(mail: Mail): void;
  /** Signs in to the server, and sends nothing. Throws the reason why it is not possible. */
  check(): Promise<void>;
}

const CONNECTION_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 30_000;
const DELAYS_MS = [0, 5_000, 60_000];
/** More than people ask for; they must not fill the memory while the server is away. */
const MAX_PENDING = 200;

/** The program that sends mail is loaded with the first one. */
export function createMailer({ url, from, logger }: MailSettings & Deps<"logger">): Mailer {
  let opened: Promise<Transporter> | undefined;
  const open = (): Promise<Transporter> => (opened ??= openTransport(url));
  let pending = 0;

  async function send(mail: Mail): Promise<void> {
    let failure: unknown;
    for (const delay of DELAYS_MS) {
      await wait(delay, undefined, { ref: false });
      try {
        await (await open()).sendMail({ from, ...mail });
        return;
      } catch (error) {
        failure = error;
        if (!isTemporary(error)) break;
      }
    }
    throw failure;
  }

  return {
    sendLater(mail) {
      if (pending >= MAX_PENDING) {
        logger.error({ component: "mail" }, "a mail was not sent, because too many are waiting");
        return;
      }
      pending += 1;
      send(mail)
        .catch((error: unknown) => logger.error({ component: "mail", err: error }, "a mail could not be sent"))
        .finally(() => (pending -= 1));
    },

    async check() {
      await (await open()).verify();
    },
  };
}

async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const { protocol, hostname, username } = new URL(url);
  // A password must not be sent in clear text to another machine.
  const requireTLS = protocol === "smtp:" && username !== "" && !isThisMachine(hostname);
  const transport = createTransport({
    url,
    requireTLS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: CONNECTION_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // Texts are texts: neither files of this machine nor URLs are read for them.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return transport;
}

const isThisMachine = (hostname: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);

/** Whether the same mail may be taken later: the server is away, or says so. */
function isTemporary(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "responseCode" in error ? error.responseCode : undefined;
  return typeof code !== "number" || code < 500;
}
