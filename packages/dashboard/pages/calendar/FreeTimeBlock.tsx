import type { MouseEvent } from "react"
import { useSession } from "../app/Session.tsx"
import { dayName } from "./calendarDays.ts"
import { isoOf, type TimeRange } from "./eventValues.ts"
import { choiceAt, type FreeTime } from "./freeTimes.ts"

/** A free time in the grid of the week. A click chooses the start below the pointer, and a key the first one. */
export const FreeTimeBlock = ({
  onSlot,
  time
}: {
  readonly time: FreeTime
  readonly onSlot: ((range: TimeRange) => void) | null
}) => {
  const { choices, date, height, range, top } = time
  const { clock } = useSession().formats
  const [start, end] = [clock(isoOf(range.start)), clock(isoOf(range.end))]
  const look =
    "border-good text-good absolute inset-x-0.5 flex items-start overflow-hidden rounded-sm border border-dashed px-1 text-left text-xs leading-[0.85rem]"
  const place = { top: `${top / 15}rem`, height: `calc(${height / 15}rem - 1px)` }
  const text = choices.length === 1 ? `${start} free` : `${start} – ${end} free`
  if (onSlot === null)
    return (
      <p className={look} style={place}>
        {text}
      </p>
    )
  const choose = (event: MouseEvent<HTMLButtonElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    // A key makes a click without a place.
    const isByKey = event.detail === 0
    onSlot(choiceAt(time, isByKey ? 0 : ((event.clientY - box.top) / box.height) * height))
  }
  return (
    <button type="button" onClick={choose} className={`${look} hover:bg-good-ground`} style={place}>
      <span>
        {text}
        <span className="sr-only">
          {" "}
          on {dayName(date)}
          {choices.length === 1 && `, until ${end}`}: create an event{choices.length > 1 && ` at ${start}`}
        </span>
      </span>
    </button>
  )
}
