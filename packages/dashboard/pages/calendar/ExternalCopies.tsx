import type { CalendarEvent, CalendarEventCopyResolution } from "@frontdesk/client"
import { useMutation } from "@tanstack/react-query"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { nameOf, providers } from "../settings/calendarProviders.ts"
import { Badge, type Tone } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { words } from "../ui/formats.ts"
import { Problem } from "../ui/Problem.tsx"
import { useCalendarChanged } from "./calendarEvents.ts"
import { rangeOf } from "./eventValues.ts"
import { RangeText } from "./RangeText.tsx"

type CopyStatus = CalendarEvent["external_calendars_status"][string]["status"]

const looks: { readonly [Status in CopyStatus]: readonly [tone: Tone, text: string, hint: string] } = {
  pending: ["info", "Being written", "It is written in a moment."],
  synced: ["good", "Up to date", "It is the same as here."],
  conflict: ["bad", "Changed there", "A person has changed it in that calendar. Decide which one counts."],
  gone: ["bad", "Deleted there", "A person has deleted it in that calendar. Decide which one counts."],
  kept: ["plain", "Left as it is there", "It stays as it is there until the event changes here."],
  failed: ["bad", "Not written", "That calendar could not be written to."]
}

/** Returns the name of a calendar, as the other pages call it. */
const nameOfProvider = (provider: string): string => {
  const known = providers.find((one) => one === provider)
  return known === undefined ? words(provider) : nameOf(known)
}

const Copy = ({
  at,
  event,
  provider,
  status
}: {
  readonly event: CalendarEvent
  readonly provider: string
  readonly status: CopyStatus
  readonly at: string
}) => {
  const { can, formats } = useSession()
  const changed = useCalendarChanged()
  const resolve = useMutation({
    mutationFn: (resolution: CalendarEventCopyResolution["resolution"]) =>
      api.calendar.resolveCopy(event.id, provider, { resolution }),
    onSettled: changed
  })
  const [tone, text, hint] = looks[status]
  const name = nameOfProvider(provider)
  const isConflict = status === "conflict" || status === "gone"
  return (
    <li className="grid gap-2 p-3">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{name}</span>
        <Badge tone={tone}>{text}</Badge>
        <span className="text-muted text-xs">since {formats.time(at)}</span>
      </p>
      <p className="text-muted text-xs">{hint}</p>
      {can("can_write_calendar") && (
        <div className="flex flex-wrap gap-2">
          {isConflict && (
            <>
              <Confirm
                label={status === "gone" ? `Write it to ${name} again` : `Overwrite it in ${name}`}
                doing="Writing…"
                title={status === "gone" ? "Write the event again?" : "Overwrite what was changed there?"}
                onConfirm={() => resolve.mutateAsync("overwrite")}
              >
                <p>The event in {name} becomes what it is here:</p>
                <p className="border-line rounded-md border px-3 py-2">
                  <bdi className="font-medium">{event.title}</bdi>
                  <br />
                  <RangeText range={rangeOf(event)} isZoneShown />
                </p>
                <p>
                  {status === "gone"
                    ? "A person has deleted it there, and may have had a reason."
                    : `What was changed there is lost. It is not known here, so look at it in ${name} first.`}
                </p>
              </Confirm>
              <Button disabled={resolve.isPending} onClick={() => resolve.mutate("keep_theirs")}>
                Leave it as it is in {name}
              </Button>
            </>
          )}
          {(status === "failed" || status === "kept") && (
            <Button disabled={resolve.isPending} onClick={() => resolve.mutate("overwrite")}>
              Write it to {name} again
            </Button>
          )}
        </div>
      )}
      <Problem error={resolve.error} />
    </li>
  )
}

/** The copies of a calendar event in external calendars, and what to do about those that a person has changed there. */
export const ExternalCopies = ({ event }: { readonly event: CalendarEvent }) => {
  const copies = Object.entries(event.external_calendars_status)
  if (copies.length === 0) return null
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-semibold">In other calendars</h3>
      <ul className="border-line divide-line divide-y rounded-md border">
        {copies.map(([provider, { at, status }]) => (
          <Copy key={provider} event={event} provider={provider} status={status} at={at} />
        ))}
      </ul>
    </section>
  )
}
