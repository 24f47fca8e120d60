import type { Delivery } from "@frontdesk/client"
import { Link } from "@tanstack/react-router"
import { Badge, type Tone } from "../ui/Badge.tsx"
import { useSession } from "../app/Session.tsx"
import { words } from "../ui/formats.ts"

/** The statuses of a delivery, in the order of a choice. */
export const statuses = ["pending", "delivered", "failed", "cancelled"] as const satisfies ReadonlyArray<
  Delivery["status"]
>

const tones: { readonly [Status in Delivery["status"]]: Tone } = {
  pending: "info",
  delivered: "good",
  failed: "bad",
  cancelled: "plain"
}

export const DeliveryStatus = ({ status }: Pick<Delivery, "status">) => (
  <Badge tone={tones[status]}>{words(status)}</Badge>
)

/** Returns whether a delivery can be sent again: it has ended, and not with success. */
export const mayBeSentAgain = ({ status }: Pick<Delivery, "status">): boolean =>
  status === "failed" || status === "cancelled"

/** How many attempts a delivery had, and the result of the last one. */
export const LastAttempt = ({ attempts }: Pick<Delivery, "attempts">) => {
  const { formats } = useSession()
  const last = attempts.at(-1)
  if (last === undefined) return <span className="text-muted">None yet</span>
  const answer = last.status_code === null ? (last.error ?? "no answer") : `answered ${last.status_code}`
  return (
    <span className="wrap-anywhere">
      {formats.counted(attempts.length, "attempt", "attempts")}, {attempts.length > 1 && "the last "}
      {answer}
    </span>
  )
}

/** The webhook event of a delivery with its time, which leads to the page of the delivery. */
export const DeliveryLink = ({
  created_at: at,
  event_type: name,
  id,
  webhook_id: webhookId
}: Pick<Delivery, "created_at" | "event_type" | "id" | "webhook_id">) => {
  const { formats } = useSession()
  return (
    <div className="grid">
      <Link
        to="/webhooks/$id/deliveries/$deliveryId"
        params={{ id: String(webhookId), deliveryId: id }}
        className="text-accent w-max font-mono text-xs underline"
      >
        {name}
      </Link>
      <time dateTime={at} className="text-muted text-xs">
        {formats.time(at)}
      </time>
    </div>
  )
}
