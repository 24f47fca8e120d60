import type { CalendarEventItem } from "@frontdesk/client"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../app/api.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog, DialogActions } from "../ui/Dialog.tsx"
import { useCalendarChanged } from "./calendarEvents.ts"
import { isoOf, rangeOf, type TimeRange } from "./eventValues.ts"
import { WriteOptions } from "./EventFields.tsx"
import { writeOptionsIn } from "./eventDraft.ts"
import { RangeText } from "./RangeText.tsx"
import { WriteProblem } from "./WriteProblem.tsx"

/** Asks before a calendar event that was dragged is moved, because the customer may be told of it. */
export const MoveEvent = ({
  event,
  onClose,
  to
}: {
  readonly event: CalendarEventItem
  /** Where the event was dragged to. */
  readonly to: TimeRange
  readonly onClose: () => void
}) => {
  const changed = useCalendarChanged()
  const [target, setTarget] = useState(to)
  const before = rangeOf(event)
  const move = useMutation({
    mutationFn: (form: FormData) =>
      api.calendar.patch(event.id, {
        start_time: isoOf(target.start),
        end_time: isoOf(target.end),
        ...writeOptionsIn(form, true)
      }),
    onSuccess: async () => {
      await changed()
      onClose()
    }
  })
  return (
    <Dialog title="Move the event?" onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(submitted) => {
          submitted.preventDefault()
          move.mutate(new FormData(submitted.currentTarget))
        }}
      >
        <p className="font-medium break-words">
          <bdi>{event.title}</bdi>
        </p>
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
          <dt className="text-muted">From</dt>
          <dd>
            <RangeText range={before} isZoneShown />
          </dd>
          <dt className="text-muted">To</dt>
          <dd className="font-medium">
            <RangeText range={target} isZoneShown />
          </dd>
        </dl>
        <WriteOptions />
        <WriteProblem
          error={move.error}
          event={event}
          range={target}
          onChoose={(range) => {
            setTarget(range)
            move.reset()
          }}
        />
        <DialogActions>
          <Button onClick={onClose}>Leave it</Button>
          <Button autoFocus kind="primary" type="submit" disabled={move.isPending}>
            {move.isPending ? "Moving…" : "Move"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
