import type { CalendarEvent, CalendarEventCreate, CalendarEventPatch } from "@frontdesk/client"
import { useMutation } from "@tanstack/react-query"
import { type SubmitEvent, useEffect, useRef } from "react"
import { api } from "../app/api.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog, DialogActions } from "../ui/Dialog.tsx"
import { Checkbox, Field, Select, TextField } from "../ui/Field.tsx"
import { words } from "../ui/formats.ts"
import { problemOf } from "../ui/Problem.tsx"
import { eventStatuses, eventTypes, isoOf, rangeOf, type TimeRange, useCalendarChanged } from "./calendarEvents.ts"
import { TimeFields, useTimes, WriteProblem } from "./TimeFields.tsx"

/** The fields of a form that are texts, as the API names them. */
const textNames = ["title", "location", "customer_name", "customer_email", "customer_phone", "customer_notes"] as const

type TextValues = { readonly [Name in (typeof textNames)[number]]?: string }

/** Returns the texts of a form without those that are the same as before. */
const changedTexts = (form: FormData, before: FormData | null): TextValues => {
  const changed: { [Name in (typeof textNames)[number]]?: string } = {}
  for (const name of textNames) {
    const value = form.get(name)
    if (typeof value !== "string" || value === (before?.get(name) ?? "")) continue
    changed[name] = name === "customer_notes" ? value : value.trim()
  }
  return changed
}

const typeOf = (form: FormData) => eventTypes.find((type) => type === form.get("event_type"))

const statusOf = (form: FormData) => eventStatuses.find((status) => status === form.get("status"))

/** The choices of a write that are not a part of the event. */
export const WriteOptions = () => (
  <div className="grid gap-2">
    <Checkbox
      name="require_available"
      defaultChecked
      label="Only if the time is free: within the working hours, with no other event"
    />
    <Checkbox name="send_notifications" defaultChecked label="Tell the customer by e-mail" />
  </div>
)

/** Returns the choices of a write as the API takes them. */
export const writeOptionsOf = (form: FormData, isMoved: boolean) => ({
  ...(isMoved && form.get("require_available") !== null && { require_available: true }),
  ...(form.get("send_notifications") === null && { send_notifications: false })
})

const Fields = ({ error, event }: { readonly event: CalendarEvent | null; readonly error: unknown }) => (
  <>
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label="Type"
        name="event_type"
        defaultValue={event?.event_type ?? "appointment"}
        problem={problemOf(error, "event_type")}
      >
        {eventTypes.map((type) => (
          <option key={type} value={type}>
            {words(type)}
          </option>
        ))}
      </Select>
      {event !== null && (
        <Select label="Status" name="status" defaultValue={event.status} problem={problemOf(error, "status")}>
          {eventStatuses
            .filter((status) => status !== "cancelled" || event.status === "cancelled")
            .map((status) => (
              <option key={status} value={status}>
                {words(status)}
              </option>
            ))}
        </Select>
      )}
      <Field
        label="Location"
        name="location"
        maxLength={1_000}
        defaultValue={event?.location ?? ""}
        problem={problemOf(error, "location")}
      />
    </div>
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="mb-2 text-sm font-semibold">Customer</legend>
      <Field
        label="Name"
        name="customer_name"
        maxLength={255}
        autoComplete="off"
        defaultValue={event?.customer.name}
        problem={problemOf(error, "customer_name")}
      />
      <Field
        label="Phone number"
        name="customer_phone"
        type="tel"
        maxLength={50}
        autoComplete="off"
        defaultValue={event?.customer.phone}
        problem={problemOf(error, "customer_phone")}
      />
      <Field
        label="E-mail address"
        name="customer_email"
        type="email"
        maxLength={254}
        autoComplete="off"
        defaultValue={event?.customer.email}
        problem={problemOf(error, "customer_email")}
      />
    </fieldset>
    <TextField
      label="Notes"
      name="customer_notes"
      rows={3}
      maxLength={10_000}
      defaultValue={event?.customer.notes}
      problem={problemOf(error, "customer_notes")}
    />
  </>
)

/** Creates a calendar event. */
export const CreateEvent = ({
  initial,
  onClose
}: {
  /** The time that the form begins with. */
  readonly initial: TimeRange
  readonly onClose: () => void
}) => {
  const changed = useCalendarChanged()
  const times = useTimes(initial)
  const title = useRef<HTMLInputElement>(null)
  // The dialog is open only after its fields are rendered, and nothing inside can have the focus before.
  useEffect(() => title.current?.focus(), [])
  const create = useMutation({
    mutationFn: (given: CalendarEventCreate) => api.calendar.create(given),
    onSuccess: async () => {
      await changed()
      onClose()
    }
  })
  const { error } = create
  const submit = (submitted: SubmitEvent<HTMLFormElement>) => {
    submitted.preventDefault()
    const form = new FormData(submitted.currentTarget)
    if (times.range === null) return
    const texts = changedTexts(form, null)
    create.mutate({
      ...texts,
      title: texts.title ?? "",
      event_type: typeOf(form),
      start_time: isoOf(times.range.start),
      end_time: isoOf(times.range.end),
      ...writeOptionsOf(form, true)
    })
  }
  return (
    <Dialog title="New event" onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <Field ref={title} label="Title" name="title" required maxLength={255} problem={problemOf(error, "title")} />
        <TimeFields times={times} error={error} />
        <Fields event={null} error={error} />
        <WriteOptions />
        <WriteProblem
          error={error}
          onChoose={(range) => {
            times.setRange(range)
            create.reset()
          }}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={create.isPending}>
            {create.isPending ? "Creating…" : "Create"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** The form that changes a calendar event. It sends what was changed, and nothing else. */
export const ChangeEvent = ({ event, onDone }: { readonly event: CalendarEvent; readonly onDone: () => void }) => {
  const changed = useCalendarChanged()
  const initial = rangeOf(event)
  const times = useTimes(initial)
  const form = useRef<HTMLFormElement>(null)
  const before = useRef<FormData>(null)
  useEffect(() => {
    if (form.current !== null) before.current = new FormData(form.current)
  }, [])
  const change = useMutation({
    mutationFn: (patch: CalendarEventPatch) => api.calendar.patch(event.id, patch),
    onSuccess: async () => {
      await changed()
      onDone()
    }
  })
  const { error } = change
  const submit = (submitted: SubmitEvent<HTMLFormElement>) => {
    submitted.preventDefault()
    const now = new FormData(submitted.currentTarget)
    const { range } = times
    if (range === null) return
    const [type, status] = [typeOf(now), statusOf(now)]
    const patch: CalendarEventPatch = {
      ...changedTexts(now, before.current),
      ...(type !== event.event_type && { event_type: type }),
      ...(status !== event.status && { status }),
      ...(range.start !== initial.start && { start_time: isoOf(range.start) }),
      ...(range.end !== initial.end && { end_time: isoOf(range.end) })
    }
    if (Object.keys(patch).length === 0) {
      onDone()
      return
    }
    const isMoved = patch.start_time !== undefined || patch.end_time !== undefined
    change.mutate({ ...patch, ...writeOptionsOf(now, isMoved) })
  }
  return (
    <form ref={form} className="grid gap-4" onSubmit={submit}>
      <Field
        label="Title"
        name="title"
        required
        maxLength={255}
        autoFocus
        defaultValue={event.title}
        problem={problemOf(error, "title")}
      />
      <TimeFields times={times} error={error} />
      <Fields event={event} error={error} />
      <WriteOptions />
      <WriteProblem
        error={error}
        onChoose={(range) => {
          times.setRange(range)
          change.reset()
        }}
      />
      <DialogActions>
        <Button onClick={onDone}>Back</Button>
        <Button kind="primary" type="submit" disabled={change.isPending}>
          {change.isPending ? "Saving…" : "Save"}
        </Button>
      </DialogActions>
    </form>
  )
}
