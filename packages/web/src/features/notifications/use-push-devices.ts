import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { findPushObstacle, hasSubscription, PushProblem, subscribeDevice, unsubscribeDevice } from "./device-push.ts";

/** What came of something that the person has done. */
interface Notice {
  readonly tone: "danger" | "info";
  readonly text: string;
}

/** The devices that get push messages, whether this one can be among them, and ways to change it. */
export function usePushDevices() {
  const client = useClient();
  const [obstacle, setObstacle] = useState(findPushObstacle);
  const [isBusy, setBusy] = useState(false);
  const [notice, setNotice] = useState<Notice>();
  const queryKey = ["approvals", "push"];
  const { data, error } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const [devices, isSubscribed] = await Promise.all([
        client.api.push.listDevices.query({ limit: 100 }, { signal }),
        hasSubscription(),
      ]);
      return { devices: devices.data, isSubscribed };
    },
  });
  const own = data?.isSubscribed === true ? data.devices.find(({ isThisOne }) => isThisOne) : undefined;

  const run = (work: () => Promise<Notice | undefined>) => {
    setBusy(true);
    setNotice(undefined);
    work()
      .then(setNotice)
      .catch((failure: unknown) => setNotice({ tone: "danger", text: messageOf(failure) }))
      .finally(() => {
        setObstacle(findPushObstacle());
        setBusy(false);
        void client.queries.invalidateQueries({ queryKey });
      });
  };

  return {
    obstacle,
    isBusy,
    notice,
    error,
    isLoaded: data !== undefined,
    /** This one, if it gets messages. */
    own,
    others: data?.devices.filter((device) => device !== own) ?? [],
    turnOn: () =>
      run(async () => {
        await subscribeDevice(client);
        return { tone: "info", text: "Turned on. Send a test to see whether messages arrive." };
      }),
    turnOff: (id: string) =>
      run(async () => {
        await client.api.push.unsubscribe.mutate({ id });
        if (id === own?.id) await unsubscribeDevice();
        return undefined;
      }),
    sendTest: (id: string) =>
      run(async () => {
        const { isDelivered, reason } = (await client.api.push.sendTest.mutate({ id })).data;
        return isDelivered
          ? { tone: "info", text: "Sent. If nothing appears, look at the notification settings of the system." }
          : { tone: "danger", text: reason ?? "Not sent." };
      }),
  };
}

function messageOf(failure: unknown): string {
  return failure instanceof PushProblem ? failure.message : toRequestError(failure).message;
}
