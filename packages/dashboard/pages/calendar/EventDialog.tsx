import type { CalendarEvent } from "@frontdesk/client"
import { useMutation } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button, buttonLook } from "../ui/Button.tsx"
import { DialogActions } from "../ui/Dialog.tsx"
import { TextField } from "../ui/Field.tsx"
import { words } from "../ui/formats.ts"
import { GuardedDialog } from "../ui/GuardedDialog.tsx"
import { Facts } from "../ui/Page.tsx"
import { Problem, problemOf } from "../ui/Problem.tsx"
import { Remote } from "../ui/Remote.tsx"
import { RelatedDeliveries } from "../webhooks/RelatedDeliveries.tsx"
import { useCalendarChanged, useEvent } from "./calendarEvents.ts"
import { rangeOf } from "./eventValues.ts"
import { CustomerContacts } from "./CustomerContacts.tsx"
import { ChangeEvent } from "./EventForm.tsx"
import { ExternalCopies } from "./ExternalCopies.tsx"
import { statusTones } from "./EventLook.tsx"
import { RangeText } from "./RangeText.tsx"

/** Cancels a calendar event, with a reason that is added to the notes. */
const CancelEvent = ({ event, onDone }: { readonly event: CalendarEvent; readonly onDone: () => void }) => {
  const changed = useCalendarChanged()
  const cancel = useMutation({
    mutationFn: (reason: string) => api.calendar.cancel(event.id, reason === "" ? {} : { reason }),
    onSuccess: async ({ reason_shortened: isShortened }) => {
      await changed()
      if (isShortened !== true) onDone()
    }
  })
  if (cancel.data !== undefined)
    return (
      <>
        <p>The event is cancelled. The notes are full, so the reason was shortened.</p>
        <DialogActions>
          <Button kind="primary" onClick={onDone}>
            Show the event
          </Button>
        </DialogActions>
      </>
    )
  return (
    <form
      className="grid gap-4"
      onSubmit={(submitted) => {
        submitted.preventDefault()
        const reason = new FormData(submitted.currentTarget).get("reason")
        cancel.mutate(typeof reason === "string" ? reason.trim() : "")
      }}
    >
      <p>The time becomes free again. A customer who was invited is told of it by e-mail.</p>
      <TextField
        label="Reason"
        name="reason"
        rows={3}
        maxLength={2_000}
        autoFocus
        hint="You can leave it empty. It is added to the notes."
        problem={problemOf(cancel.error, "reason")}
      />
      <Problem error={cancel.error} />
      <DialogActions>
        <Button onClick={onDone}>Keep the event</Button>
        <Button kind="danger" type="submit" disabled={cancel.isPending}>
          {cancel.isPending ? "Cancelling…" : "Cancel the event"}
        </Button>
      </DialogActions>
    </form>
  )
}

const EventFacts = ({ event }: { readonly event: CalendarEvent }) => {
  const { can } = useSession()
  const text = (value: string) => <bdi className="break-words whitespace-pre-wrap">{value}</bdi>
  const { customer } = event
  const facts: ReadonlyArray<readonly [string, ReactNode] | null> = [
    ["Time", <RangeText key="time" range={rangeOf(event)} isZoneShown />],
    [
      "Status",
      <Badge key="status" tone={statusTones[event.status]}>
        {words(event.status)}
      </Badge>
    ],
    ["Type", words(event.event_type)],
    event.is_reminder_enabled ? ["Reminder", `${event.remind_before_minutes} minutes before the start`] : null,
    event.location === null || event.location === "" ? null : ["Location", text(event.location)],
    event.has_video_conference || event.video_conference_provider !== ""
      ? ["Video conference", event.video_conference_provider === "" ? "Yes" : text(event.video_conference_provider)]
      : null,
    event.video_conference_url === ""
      ? null
      : [
          "Video link",
          <a key="video" className="text-accent break-all underline" href={event.video_conference_url} rel="noreferrer">
            {event.video_conference_url}
          </a>
        ],
    customer.name === "" ? null : ["Customer", text(customer.name)],
    can("can_read_contacts") && (customer.phone !== "" || customer.email !== "")
      ? ["Contact", <CustomerContacts key="contact" customer={customer} />]
      : null,
    customer.phone === "" ? null : ["Phone number", text(customer.phone)],
    customer.email === "" ? null : ["E-mail address", text(customer.email)],
    customer.notes === "" ? null : ["Notes", text(customer.notes)],
    event.description === "" ? null : ["Description", text(event.description)],
    event.ai_agent === undefined ? null : ["Agent", text(event.ai_agent.name)],
    event.team === null ? null : ["Team", text(event.team.name)]
  ]
  return <Facts facts={facts.filter((fact) => fact !== null)} />
}

/** The deliveries of the webhook events about a calendar event, which are read when a person opens them. */
const EventDeliveries = ({ eventId }: { readonly eventId: number }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="text-sm font-semibold">Webhook deliveries</summary>
      <div className="border-line mt-2 rounded-md border">
        {isOpen && <RelatedDeliveries about={{ event: String(eventId) }} />}
      </div>
    </details>
  )
}

const Detail = ({
  event,
  onMode
}: {
  readonly event: CalendarEvent
  readonly onMode: (mode: "change" | "cancel") => void
}) => {
  const { can } = useSession()
  return (
    <>
      <div className="-m-4">
        <EventFacts event={event} />
      </div>
      <ExternalCopies event={event} />
      {can("can_read_webhooks") && <EventDeliveries eventId={event.id} />}
      <DialogActions>
        <a className={buttonLook()} href={event.ics_url} download={`event-${event.id}.ics`}>
          Download as .ics
        </a>
        {can("can_write_calendar") && (
          <>
            {event.status !== "cancelled" && (
              <Button kind="danger" onClick={() => onMode("cancel")}>
                Cancel the event
              </Button>
            )}
            <Button kind="primary" autoFocus onClick={() => onMode("change")}>
              Change
            </Button>
          </>
        )}
      </DialogActions>
    </>
  )
}

/** One calendar event in a dialog: what it is, and the forms that change and cancel it. */
export const EventDialog = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const event = useEvent(id)
  const [mode, setMode] = useState<"show" | "change" | "cancel">("show")
  const show = () => setMode("show")
  const titles = {
    show: event.data?.title ?? "Event",
    change: "Change the event",
    cancel: `Cancel ${event.data?.title ?? "the event"}?`
  }
  return (
    <GuardedDialog title={titles[mode]} onClose={onClose}>
      <Remote
        query={event}
        missing={
          <>
            <p>There is no such event. It was deleted, or the address is wrong.</p>
            <DialogActions>
              <Button kind="primary" autoFocus onClick={onClose}>
                Show the calendar
              </Button>
            </DialogActions>
          </>
        }
      >
        {(found) =>
          mode === "show" ? (
            <Detail event={found} onMode={setMode} />
          ) : mode === "change" ? (
            <ChangeEvent event={found} onDone={show} />
          ) : (
            <CancelEvent event={found} onDone={show} />
          )
        }
      </Remote>
    </GuardedDialog>
  )
}
