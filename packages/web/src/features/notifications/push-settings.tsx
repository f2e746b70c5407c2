import { Bell, BellOff, Send, Trash2 } from "lucide-react";
import { toRequestError } from "../../api/request-error.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { deviceName } from "./device-name.ts";
import type { PushObstacle } from "./device-push.ts";
import { usePushDevices } from "./use-push-devices.ts";

const OBSTACLES: Readonly<Record<PushObstacle, string>> = {
  insecure:
    "Browsers show notifications only for pages with https, or on localhost. Open Workspace by an https URL; the README says how to set SERVICE_AUTH_URL.",
  ios: "On an iPhone or iPad, add Workspace to the home screen first (Share, then “Add to Home Screen”), open it there, and come back to this page.",
  unsupported:
    "This browser does not support push messages. Use a current Chrome, Edge, Firefox or Safari, not in a private window.",
  denied:
    "This browser was told not to show notifications of Workspace. Allow them in its settings for this site, and reload.",
};

/** Whether this browser shows notifications, and which others do. */
export default function PushSettings() {
  const { obstacle, isBusy, notice, error, isLoaded, own, others, turnOn, turnOff, sendTest } = usePushDevices();
  return (
    <section aria-labelledby="push" className="flex flex-col gap-3">
      <h2 id="push" className="text-14 font-semibold text-strong">
        Notifications on this device
      </h2>
      <p className="text-pretty text-normal">
        A push message appears when a call waits for a decision, a comment mentions you or a reminder is due, also while
        Workspace is closed. It contains the beginning of the call or the comment, or the title of the task, without
        secrets, encrypted for this browser, and opens it here. Signing out ends it.
      </p>
      {obstacle !== null && <FormAlert tone="info">{OBSTACLES[obstacle]}</FormAlert>}
      {error !== null && <FormAlert tone="danger">Not loaded. {toRequestError(error).message}</FormAlert>}
      {isLoaded && obstacle === null && (
        <div className="flex flex-wrap gap-2">
          {own === undefined ? (
            <Button tone="primary" icon={<Bell aria-hidden size={16} />} isBusy={isBusy} onClick={turnOn}>
              Turn on
            </Button>
          ) : (
            <>
              <Button icon={<Send aria-hidden size={16} />} isBusy={isBusy} onClick={() => sendTest(own.id)}>
                Send a test
              </Button>
              <Button
                tone="ghost"
                icon={<BellOff aria-hidden size={16} />}
                disabled={isBusy}
                onClick={() => turnOff(own.id)}
              >
                Turn off
              </Button>
            </>
          )}
        </div>
      )}
      {notice !== undefined && <FormAlert tone={notice.tone}>{notice.text}</FormAlert>}
      {others.length > 0 && (
        <ul aria-label="Other devices" className="flex flex-col">
          {others.map(({ id, userAgent, createdAt }) => (
            <li key={id} className="flex items-center gap-3 border-b border-border py-1 last:border-0">
              <span className="min-w-0 flex-1 text-13 text-normal">
                {deviceName(userAgent)}
                <span className="text-muted">
                  , turned on <TimeAgo timestamp={createdAt} />
                </span>
              </span>
              <IconButton
                label={`Turn off on ${deviceName(userAgent)}`}
                icon={<Trash2 size={16} />}
                onClick={() => turnOff(id)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
