import { Mic } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { IconButton } from "../../components/button.tsx";
import { toasts } from "../../components/toast.ts";
import { drafts } from "../../drafts/draft.ts";

/** What browsers that recognise speech offer of it. */
interface Recognition extends EventTarget {
  lang: string;
  continuous: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}

interface RecognitionResults {
  readonly resultIndex: number;
  readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }>>;
}

declare global {
  interface Window {
    readonly SpeechRecognition?: new () => Recognition;
    readonly webkitSpeechRecognition?: new () => Recognition;
  }
}

/** Recognition needs the microphone, which browsers offer on secure origins only. */
const Recogniser = window.isSecureContext ? (window.SpeechRecognition ?? window.webkitSpeechRecognition) : undefined;

/** Why the browser does not listen, in its own terms and in ours. */
const PROBLEMS: Readonly<Record<string, string>> = {
  "not-allowed": "The browser may not use the microphone here.",
  "service-not-allowed": "The browser may not recognise speech here.",
  "audio-capture": "There is no microphone.",
  network: "The browser's service could not be reached.",
};

const ENDS_A_WORD = /(^|\s)$/;

interface DictationButtonProps {
  /** The draft behind which it is written. */
  readonly draftKey: string;
  readonly maxLength: number;
}

/** Writes down what is said, if the browser recognises speech; the server gets only the text. */
export function DictationButton({ draftKey, maxLength }: DictationButtonProps) {
  const client = useClient();
  const [isListening, setListening] = useState(false);
  const current = useRef<Recognition | null>(null);
  const add = useEffectEvent((said: string) => {
    const before = drafts(client).read(draftKey) ?? "";
    drafts(client).write(draftKey, `${before}${ENDS_A_WORD.test(before) ? "" : " "}${said}`.slice(0, maxLength));
  });
  const fail = useEffectEvent((reason: string) => {
    const detail = PROBLEMS[reason];
    if (detail !== undefined) toasts(client).show({ message: "Nothing is written down", detail, tone: "danger" });
  });

  useEffect(() => {
    if (!isListening || Recogniser === undefined) return undefined;
    const recognition = new Recogniser();
    recognition.lang = navigator.language;
    recognition.continuous = true;
    recognition.addEventListener("result", (event) => add(newTextIn(event)));
    recognition.addEventListener("error", (event) => {
      if ("error" in event && typeof event.error === "string") fail(event.error);
    });
    recognition.addEventListener("end", () => setListening(false));
    recognition.start();
    current.current = recognition;
    return () => {
      current.current = null;
      recognition.abort();
    };
  }, [isListening]);

  if (Recogniser === undefined) return null;
  return (
    <IconButton
      size="small"
      label={isListening ? "Stop dictating" : "Dictate: recognised by your browser, or its maker"}
      aria-pressed={isListening}
      icon={<Mic size={16} className={isListening ? "text-danger" : undefined} />}
      // What was said last is still recognised.
      onClick={() => (isListening ? current.current?.stop() : setListening(true))}
    />
  );
}

/** What has been recognised since the event before. */
function newTextIn(event: Event & Partial<RecognitionResults>): string {
  const { results = [], resultIndex = 0 } = event;
  return Array.from(results)
    .slice(resultIndex)
    .map((alternatives) => alternatives[0]?.transcript.trim() ?? "")
    .join(" ");
}
