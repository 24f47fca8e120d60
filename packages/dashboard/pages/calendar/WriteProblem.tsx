import { FrontdeskApiError } from "@frontdesk/client"
import { useQuery } from "@tanstack/react-query"
import { useId } from "react"
import { api, hasCode } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { nameOf } from "../settings/calendarProviders.ts"
import { Button } from "../ui/Button.tsx"
import { FormProblem } from "../ui/FormProblem.tsx"
import { daysAfter } from "../ui/formats.ts"
import { dayName } from "./calendarDays.ts"
import { thinned, type TimeRange } from "./eventValues.ts"
import { draftFields } from "./eventDraft.ts"
import { RangeText } from "./RangeText.tsx"
import { reasonsOf } from "./unavailability.ts"
import { dateOfWall, wallOf } from "./zonedTime.ts"

/** Returns the free times that a refusal proposes. */
const proposalsOf = (error: unknown): ReadonlyArray<TimeRange> =>
  error instanceof FrontdeskApiError
    ? error.details.flatMap(({ code, end, start }) =>
        code === "free_time" && start !== undefined && end !== undefined
          ? [{ start: Date.parse(start), end: Date.parse(end) }]
          : []
      )
    : []

/** The longest duration in minutes for which availability offers times. */
const maxDuration = 180

/** The free times of the day of a range, as long as the range. */
const useFreeTimesOfDay = (range: TimeRange | null, excluded: number | undefined, isWanted: boolean) => {
  const { zone } = useSession().formats
  const date = range === null ? "" : dateOfWall(wallOf(range.start, zone))
  const duration = range === null ? 0 : (range.end - range.start) / 60_000
  const isOffered = Number.isInteger(duration) && duration >= 1 && duration <= maxDuration
  const { data } = useQuery({
    queryKey: ["calendar", "free", date, duration, excluded],
    queryFn: ({ signal }) =>
      api.availability.find(
        {
          start_date: date,
          end_date: date,
          duration,
          ...(excluded !== undefined && { exclude_event_id: String(excluded) })
        },
        { signal }
      ),
    enabled: isWanted && isOffered
  })
  const slots = isWanted ? thinned(data?.available_slots ?? []) : []
  return { date, times: slots.map(({ end, start }): TimeRange => ({ start: Date.parse(start), end: Date.parse(end) })) }
}

/** Says why a time is not free, as far as the calendar shows it. */
const Reasons = ({ excluded, range }: { readonly range: TimeRange; readonly excluded: number | undefined }) => {
  const { account, formats } = useSession()
  const dates = [dateOfWall(wallOf(range.start, formats.zone)), dateOfWall(wallOf(range.end, formats.zone))]
  const [first = "", last = ""] = dates
  // Days before and after, because their appointments may need time before and after them.
  const days = { start_date: daysAfter(first, -1), end_date: daysAfter(last, 1) }
  const found = useQuery({
    queryKey: ["calendar", "around", days],
    queryFn: async ({ signal }) => {
      const [{ events }, busy] = await Promise.all([
        api.calendar.list({ ...days, overlapping: true, limit: 100 }, { signal }),
        api.availability.busy(days, { signal }).catch(() => null)
      ])
      return { events, busy: busy?.busy_times ?? [] }
    }
  })
  if (found.data === undefined) return null
  const events = found.data.events.filter(({ id }) => id !== excluded)
  const busy = found.data.busy.map(({ end, providers, start }) => ({
    range: { start: Date.parse(start), end: Date.parse(end) },
    calendars: providers.map(nameOf).join(" and ")
  }))
  const reasons = reasonsOf(range, { account, events, busy }, formats)
  const shown =
    reasons.length === 0 ? ["A caller may be deciding about it at the moment. Try again in a few minutes."] : reasons
  return (
    <ul aria-label="Why it is not free" className="list-disc pl-4">
      {shown.map((reason) => (
        <li key={reason} className="wrap-anywhere">
          <bdi>{reason}</bdi>
        </li>
      ))}
    </ul>
  )
}

const Choices = ({
  onChoose,
  title,
  times
}: {
  readonly title: string
  readonly times: ReadonlyArray<TimeRange>
  readonly onChoose: (range: TimeRange) => void
}) => {
  const id = useId()
  if (times.length === 0) return null
  return (
    <>
      <p className="text-sm font-medium" id={id}>
        {title}
      </p>
      <ul className="flex max-h-48 flex-wrap gap-2 overflow-y-auto" aria-labelledby={id}>
        {times.map((range) => (
          <li key={range.start}>
            <Button onClick={() => onChoose(range)}>
              <RangeText range={range} />
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

/**
 * Says why a write has failed. When the time is not free, the free times of the day and the nearest ones of other days are
 * buttons that choose one.
 */
export const WriteProblem = ({
  error,
  event,
  onChoose,
  range
}: {
  readonly error: unknown
  /** The event that is moved, whose own time counts as free. Absent for a new one. */
  readonly event?: { readonly id: number }
  /** The time of the form. Null while it is not complete. */
  readonly range: TimeRange | null
  readonly onChoose: (range: TimeRange) => void
}) => {
  const { zone } = useSession().formats
  const isTaken = hasCode(error, "slot_unavailable")
  const { date, times } = useFreeTimesOfDay(range, event?.id, isTaken)
  if (!isTaken) return <FormProblem error={error} fields={["start_time", "end_time", ...draftFields]} />
  const nearest = proposalsOf(error).filter(
    ({ start }) => times.length === 0 || dateOfWall(wallOf(start, zone)) !== date
  )
  return (
    <div className="grid gap-2">
      <div role="alert" className="bg-bad-ground text-bad grid gap-1 rounded-md px-3 py-2 text-sm">
        <p>
          This time is not free. Choose another one
          {proposalsOf(error).length > 0 && ", or untick “Only if the time is free”"}.
        </p>
        {range !== null && <Reasons range={range} excluded={event?.id} />}
      </div>
      <Choices title={`Free on ${date === "" ? "this day" : dayName(date)}`} times={times} onChoose={onChoose} />
      <Choices title="The nearest free times" times={nearest} onChoose={onChoose} />
    </div>
  )
}
