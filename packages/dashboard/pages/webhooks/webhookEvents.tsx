import type { Webhook } from "@frontdesk/client"
import { Badge, type Tone } from "../ui/Badge.tsx"
import { Checkbox } from "../ui/Field.tsx"
import { words } from "../ui/formats.ts"

/** The name of an event that a webhook can receive. */
export type EventName = Webhook["subscribed_events"][number]

/** Every event that a webhook can receive. */
export const eventNames = [
  "call.started",
  "call.ended",
  "call.failed",
  "call.transcript",
  "call.recording",
  "call.summary",
  "call.tool",
  "calendar.created",
  "calendar.updated",
  "calendar.cancelled",
  "calendar.completed",
  "calendar.reminder"
] as const satisfies ReadonlyArray<EventName>

/** Returns the events that are chosen in a form. */
export const chosenEvents = (form: FormData): ReadonlyArray<EventName> => {
  const chosen = new Set(form.getAll("event"))
  return eventNames.filter((name) => chosen.has(name))
}

/** The choice of events in a form. */
export const EventChoice = ({
  chosen,
  problem
}: {
  readonly chosen: ReadonlyArray<EventName>
  readonly problem: string | undefined
}) => (
  <fieldset className="grid gap-2">
    <legend className="mb-2 text-sm font-medium">Events</legend>
    <div className="grid gap-2 sm:grid-cols-2">
      {eventNames.map((name) => (
        <Checkbox
          key={name}
          name="event"
          value={name}
          defaultChecked={chosen.includes(name)}
          label={<code className="font-mono text-xs">{name}</code>}
        />
      ))}
    </div>
    {problem !== undefined && (
      <p role="alert" className="text-bad text-xs">
        {problem}
      </p>
    )}
  </fieldset>
)

const tones: { readonly [Status in Webhook["status"]]: Tone } = { active: "good", failed: "bad", disabled: "plain" }

export const WebhookStatus = ({ status }: Pick<Webhook, "status">) => (
  <Badge tone={tones[status]}>{words(status)}</Badge>
)
