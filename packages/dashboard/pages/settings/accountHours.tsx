import { useState } from "react"
import { useSession } from "../app/Session.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Field, inputLook } from "../ui/Field.tsx"
import { problemOf } from "../ui/Problem.tsx"
import { minutesOf } from "../ui/formats.ts"
import { type Draft, problemOfRanges, type TimeRange, weekdays } from "./accountDraft.ts"

/** The input of a browser has no 24:00. As an end, 00:00 means the midnight after the day. */
const shownEnd = (end: string): string => (end === "24:00" ? "00:00" : end)
const storedEnd = (end: string): string => (end === "00:00" ? "24:00" : end)

const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`

/** Returns the range to add after others: an hour later than the last one, and 09:00 to 17:00 as the first. */
const nextRange = (ranges: ReadonlyArray<TimeRange>): TimeRange => {
  const last = ranges.at(-1)
  if (last === undefined) return ["09:00", "17:00"]
  const start = Math.min(minutesOf(last[1]) + 60, 23 * 60)
  return [clockOf(start), clockOf(Math.min(start + 240, 24 * 60))]
}

/** The ranges of times of one day. A day without ranges is closed. */
const Ranges = ({
  name,
  onChange,
  problem,
  ranges
}: {
  /** The day, as a part of the labels of its controls. */
  readonly name: string
  readonly ranges: ReadonlyArray<TimeRange>
  readonly problem: string | undefined
  readonly onChange: (ranges: ReadonlyArray<TimeRange>) => void
}) => {
  const put = (at: number, range: TimeRange) => onChange(ranges.map((one, index) => (index === at ? range : one)))
  // On narrow screens the button of the input would cover AM and PM. The time is typed there, or chosen on a touch screen.
  const time = (label: string, value: string, change: (text: string) => void) => (
    <input
      type="time"
      required
      aria-label={label}
      aria-invalid={problem !== undefined}
      className={`${inputLook} max-w-32 flex-1 max-sm:px-1 max-sm:[&::-webkit-calendar-picker-indicator]:hidden`}
      value={value}
      onChange={({ target }) => change(target.value)}
    />
  )
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      {ranges.length === 0 && <p className="text-muted py-2 text-sm">Closed</p>}
      {ranges.map(([start, end], index) => {
        const which = ranges.length === 1 ? name : `${name}, range ${index + 1}`
        return (
          // The ranges have no names of their own, and their controls hold no state.
          <div key={index} className="flex items-center gap-1 sm:gap-2">
            {time(`Start on ${which}`, start, (text) => put(index, [text, end]))}
            <span className="text-muted" aria-hidden="true">
              –
            </span>
            {time(`End on ${which}`, shownEnd(end), (text) => put(index, [start, storedEnd(text)]))}
            <Button
              kind="quiet"
              className="shrink-0"
              aria-label={`Remove the range ${start} to ${end} on ${name}`}
              onClick={() => onChange(ranges.filter((_, at) => at !== index))}
            >
              ✕
            </Button>
          </div>
        )
      })}
      {problem !== undefined && (
        <p role="alert" className="text-bad text-xs">
          {problem}
        </p>
      )}
    </div>
  )
}

/** The ranges of one day, with its name before them and what can be done with them after. */
const Day = ({
  children,
  isDate = false,
  name,
  note,
  onChange,
  problem,
  ranges
}: Parameters<typeof Ranges>[0] & {
  /** Whether the name is a whole date, which is longer than that of a weekday. */
  readonly isDate?: boolean
  /** What is special about the day. */
  readonly note?: React.ReactNode
  readonly children?: React.ReactNode
}) => (
  <div
    className={`border-line grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-2 border-b px-4 py-3 last:border-b-0 ${isDate ? "md:grid-cols-[16rem_minmax(0,1fr)_auto]" : "sm:grid-cols-[8rem_minmax(0,1fr)_auto]"}`}
  >
    <p className="py-2 font-medium">
      {name} {note}
    </p>
    <Ranges name={name} ranges={ranges} problem={problemOfRanges(ranges) ?? problem} onChange={onChange} />
    <div className="flex flex-wrap content-start items-start gap-2">
      <Button aria-label={`Add hours on ${name}`} onClick={() => onChange([...ranges, nextRange(ranges)])}>
        Add hours
      </Button>
      {children}
    </div>
  </div>
)

/** The working hours of each weekday. */
export const WorkingHours = ({
  error,
  hours,
  onChange
}: {
  readonly hours: Draft["workingHours"]
  readonly error: unknown
  readonly onChange: (hours: Draft["workingHours"]) => void
}) => (
  <div>
    {weekdays.map(([day, name]) => (
      <Day
        key={day}
        name={name}
        ranges={hours[day]}
        problem={problemOf(error, `working_hours.${day}`)}
        onChange={(ranges) => onChange({ ...hours, [day]: ranges })}
      >
        <Button
          aria-label={`Copy to all days the hours of ${name}`}
          onClick={() => {
            const same = hours[day]
            onChange({ mon: same, tue: same, wed: same, thu: same, fri: same, sat: same, sun: same })
          }}
        >
          Copy to all days
        </Button>
      </Day>
    ))}
  </div>
)

/** Returns a date such as 2026-12-25 with its weekday and year. It belongs to no zone. */
export const dateWithWeekday = (date: string): string =>
  new Intl.DateTimeFormat(undefined, { timeZone: "UTC", dateStyle: "full" }).format(new Date(`${date}T00:00:00Z`))

/** The dates whose hours replace those of their weekdays. */
export const DateOverrides = ({
  error,
  onChange,
  overrides
}: {
  readonly overrides: Draft["dateOverrides"]
  readonly error: unknown
  readonly onChange: (overrides: Draft["dateOverrides"]) => void
}) => {
  const { formats } = useSession()
  const [date, setDate] = useState("")
  const today = formats.today()
  const dates = Object.keys(overrides).toSorted()
  const past = dates.filter((one) => one < today)
  const problem = Object.hasOwn(overrides, date)
    ? "The date is in the list"
    : date !== "" && date < today
      ? "The date is in the past. Choose today or a later date."
      : undefined
  const add = () => {
    if (date === "" || problem !== undefined) return
    onChange({ ...overrides, [date]: [] })
    setDate("")
  }
  return (
    <div>
      {dates.length === 0 && <p className="text-muted px-4 pt-4">No date has hours of its own.</p>}
      {dates.map((one) => {
        const name = dateWithWeekday(one)
        return (
          <Day
            key={one}
            isDate
            name={name}
            note={one < today && <Badge>Past</Badge>}
            ranges={overrides[one] ?? []}
            problem={problemOf(error, `date_overrides.${one}`)}
            onChange={(ranges) => onChange({ ...overrides, [one]: ranges })}
          >
            <Button
              aria-label={`Remove ${name}`}
              onClick={() => {
                const { [one]: _, ...others } = overrides
                onChange(others)
              }}
            >
              Remove
            </Button>
          </Day>
        )
      })}
      <div className="border-line mt-4 flex flex-wrap items-start gap-x-2 gap-y-3 border-t p-4">
        <div className="w-44">
          <Field
            label="Date"
            type="date"
            min={today}
            value={date}
            problem={problem}
            onChange={({ target }) => setDate(target.value)}
            onKeyDown={(event) => {
              // Enter adds the date. It would save the whole form otherwise.
              if (event.key !== "Enter") return
              event.preventDefault()
              add()
            }}
          />
        </div>
        {/* Beside the field, below the height of its label. */}
        <div className="flex flex-wrap gap-2 sm:mt-6">
          <Button disabled={date === "" || problem !== undefined} onClick={add}>
            Add as closed
          </Button>
          {past.length > 0 && (
            <Button
              onClick={() =>
                onChange(Object.fromEntries(Object.entries(overrides).filter(([one]) => !past.includes(one))))
              }
            >
              Remove past dates
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}
