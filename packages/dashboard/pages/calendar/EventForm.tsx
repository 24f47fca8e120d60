import type { CalendarEvent, CalendarEventCreate, CalendarEventPatch } from "@frontdesk/client"
import { useMutation } from "@tanstack/react-query"
import { type SubmitEvent, useEffect, useRef } from "react"
import { api } from "../app/api.ts"
import { Button } from "../ui/Button.tsx"
import { DialogActions } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { GuardedDialog, useLeave } from "../ui/GuardedDialog.tsx"
import { problemOf } from "../ui/Problem.tsx"
import { useCalendarChanged } from "./calendarEvents.ts"
import { isoOf, rangeOf, type TimeRange } from "./eventValues.ts"
import { EventFields, WriteOptions } from "./EventFields.tsx"
import { changedIn, writeOptionsIn } from "./eventDraft.ts"
import { TimeFields, useTimes } from "./TimeFields.tsx"
import { WriteProblem } from "./WriteProblem.tsx"

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
    const draft = changedIn(form, new FormData())
    create.mutate({
      ...draft,
      title: draft.title ?? "",
      start_time: isoOf(times.range.start),
      end_time: isoOf(times.range.end),
      ...writeOptionsIn(form, true)
    })
  }
  return (
    <GuardedDialog title="New event" onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <Field label="Title" name="title" required maxLength={255} problem={problemOf(error, "title")} />
        <TimeFields times={times} error={error} />
        <EventFields event={null} error={error} />
        <WriteOptions />
        <WriteProblem
          error={error}
          range={times.range}
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
    </GuardedDialog>
  )
}

/** The form that changes a calendar event. It sends what was changed, and nothing else. */
export const ChangeEvent = ({ event, onDone }: { readonly event: CalendarEvent; readonly onDone: () => void }) => {
  const changed = useCalendarChanged()
  const leave = useLeave()
  const initial = rangeOf(event)
  const times = useTimes(initial)
  const form = useRef<HTMLFormElement>(null)
  const before = useRef(new FormData())
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
    const patch: CalendarEventPatch = {
      ...changedIn(now, before.current),
      ...(range.start !== initial.start && { start_time: isoOf(range.start) }),
      ...(range.end !== initial.end && { end_time: isoOf(range.end) })
    }
    if (Object.keys(patch).length === 0) {
      onDone()
      return
    }
    const isMoved = patch.start_time !== undefined || patch.end_time !== undefined
    change.mutate({ ...patch, ...writeOptionsIn(now, isMoved) })
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
      <EventFields event={event} error={error} />
      <WriteOptions />
      <WriteProblem
        error={error}
        event={event}
        range={times.range}
        onChoose={(range) => {
          times.setRange(range)
          change.reset()
        }}
      />
      <DialogActions>
        <Button onClick={() => leave(onDone)}>Back</Button>
        <Button kind="primary" type="submit" disabled={change.isPending}>
          {change.isPending ? "Saving…" : "Save"}
        </Button>
      </DialogActions>
    </form>
  )
}
