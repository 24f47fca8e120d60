import type { Delivery } from "@frontdesk/client"
import { Badge, type Tone } from "../ui/Badge.tsx"
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
