import { useClient } from "../../client/use-client.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { revokeCalendarFeed, type CalendarFeed } from "./calendar-feed.ts";

interface RevokeFeedDialogProps {
  readonly feed: CalendarFeed;
  readonly onClose: () => void;
}

/** Revoking cannot be undone, so it asks for confirmation; a new feed is quickly made, so nothing has to be typed. */
export default function RevokeFeedDialog({ feed, onClose }: RevokeFeedDialogProps) {
  const client = useClient();
  return (
    <ConfirmDialog
      title={`Revoke “${feed.name}”?`}
      description="Its address stops working immediately. Programs that subscribe to it keep what they have, but get nothing new."
      confirmLabel="Revoke feed"
      failure="Not revoked."
      onConfirm={() => revokeCalendarFeed(client, feed).then(onClose)}
      onClose={onClose}
    />
  );
}
