import type { Delivery } from "@frontdesk/client"
import { Badge, type Tone } from "../ui/Badge.tsx"
import { useSession } from "../app/Session.tsx"
import { type Formats, words } from "../ui/formats.ts"

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

/** How many attempts a delivery had, and what came of the last one. */
export const LastAttempt = ({ attempts }: Pick<Delivery, "attempts">) => {
  const { formats } = useSession()
  const last = attempts.at(-1)
  if (last === undefined) return <span className="text-muted">None yet</span>
  return (
    <span className="wrap-anywhere">
      {formats.number(attempts.length)} · {last.status_code ?? last.error}
    </span>
  )
}

/** Returns how many deliveries a list has. */
export const deliveryCount = (formats: Formats, count: number, isCapped: boolean): string =>
  `${isCapped ? "more than " : ""}${formats.counted(count, "delivery", "deliveries")}`
