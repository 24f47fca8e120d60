import type { Call } from "@frontdesk/client"
import { Badge, type Tone } from "../ui/Badge.tsx"
import { words } from "../ui/formats.ts"

/** Every status of a call, in the order in which a call can have them. */
export const statuses = [
  "queued",
  "ringing",
  "in_progress",
  "completed",
  "busy",
  "no_answer",
  "failed",
  "cancelled"
] as const satisfies ReadonlyArray<Call["status"]>

const tones: { readonly [Status in Call["status"]]: Tone } = {
  queued: "info",
  ringing: "info",
  in_progress: "info",
  completed: "good",
  busy: "warn",
  no_answer: "warn",
  failed: "bad",
  cancelled: "plain"
}

/** Returns whether a call has not ended. */
export const isRunning = ({ status }: Pick<Call, "status">): boolean =>
  status === "queued" || status === "ringing" || status === "in_progress"

export const CallStatus = ({ status }: Pick<Call, "status">) => <Badge tone={tones[status]}>{words(status)}</Badge>
