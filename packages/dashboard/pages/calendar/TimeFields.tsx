import { useEffect, useRef, useState } from "react"
import { useSession } from "../app/Session.tsx"
import { Field, Select } from "../ui/Field.tsx"
import { problemOf } from "../ui/Problem.tsx"
import type { TimeRange } from "./eventValues.ts"
import { choiceOf, chosenInstant, instantsOf, type WallChoice, zoneNameAt } from "./zonedTime.ts"

/** The times of a form, and how they are changed. */
export interface ChosenTimes {
  readonly start: WallChoice
  readonly end: WallChoice
  readonly setStart: (choice: WallChoice) => void
  readonly setEnd: (choice: WallChoice) => void
  readonly setRange: (range: TimeRange) => void
  /** The instants that are chosen, or null while one of the times does not exist. */
  readonly range: TimeRange | null
}

/** The state of a form's start and end. When the start is changed, the end follows, so that the length stays. */
export const useTimes = (initial: TimeRange): ChosenTimes => {
  const { zone } = useSession().formats
  const [start, setStart] = useState(() => choiceOf(initial.start, zone))
  const [end, setEnd] = useState(() => choiceOf(initial.end, zone))
  const [length, setLength] = useState(initial.end - initial.start)
  const instantOfChoice = (choice: WallChoice, before: number) => {
    const same = choiceOf(before, zone)
    // A time that is not changed keeps its seconds, which a form does not show.
    return same.wall === choice.wall && same.isSecond === choice.isSecond ? before : chosenInstant(choice, zone)
  }
  const [from, until] = [instantOfChoice(start, initial.start), instantOfChoice(end, initial.end)]
  return {
    start,
    end,
    setStart: (choice) => {
      const moved = chosenInstant(choice, zone)
      if (moved !== null) setEnd(choiceOf(moved + length, zone))
      setStart(choice)
    },
    setEnd: (choice) => {
      const ended = chosenInstant(choice, zone)
      if (from !== null && ended !== null && ended > from) setLength(ended - from)
      setEnd(choice)
    },
    setRange: (range) => {
      setStart(choiceOf(range.start, zone))
      setEnd(choiceOf(range.end, zone))
      setLength(range.end - range.start)
    },
    range: from === null || until === null ? null : { start: from, end: until }
  }
}

const reversed = "The end must be after the start."

const gap = "The clocks go forward over this time, so it does not exist on this day. Choose another one."

/** A field for a time in the zone of the account. For a time that the clock shows twice it asks which one is meant. */
const TimeField = ({
  choice,
  label,
  name,
  onChange,
  problem,
  refusal
}: {
  readonly label: string
  readonly name: string
  readonly choice: WallChoice
  readonly onChange: (choice: WallChoice) => void
  /** What is wrong with the time, so that the form cannot be sent. */
  readonly problem: string | undefined
  /** What the API said about the time that was sent. */
  readonly refusal: string | undefined
}) => {
  const { zone } = useSession().formats
  const input = useRef<HTMLInputElement>(null)
  const instants = instantsOf(choice.wall, zone)
  // While it is being typed, the field has no value. The browser says so when the form is sent.
  const isMissing = choice.wall !== "" && instants.length === 0
  const found = isMissing ? gap : problem
  useEffect(() => input.current?.setCustomValidity(found ?? ""), [found])
  return (
    <div className="grid content-start gap-2">
      <Field
        ref={input}
        label={label}
        name={name}
        type="datetime-local"
        required
        max="9999-12-30T23:59"
        value={choice.wall}
        onChange={({ target: { value } }) => onChange({ wall: value.slice(0, 16), isSecond: false })}
        problem={found ?? refusal}
      />
      {instants.length > 1 && (
        <Select
          label={`Which one for the ${label.toLowerCase()}`}
          value={choice.isSecond ? "second" : "first"}
          onChange={({ target: { value } }) => onChange({ ...choice, isSecond: value === "second" })}
          hint="The clocks go back, and show this time twice."
        >
          {instants.map((instant, index) => (
            <option key={instant} value={index === 0 ? "first" : "second"}>
              {index === 0 ? "The first" : "The second"}, {zoneNameAt(instant, zone)}
            </option>
          ))}
        </Select>
      )}
    </div>
  )
}

/** The fields for the start and the end of a calendar event. */
export const TimeFields = ({ error, times }: { readonly times: ChosenTimes; readonly error: unknown }) => {
  const { zone } = useSession().formats
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="text-muted mb-2 text-xs">Times are in {zone.replaceAll("_", " ")}.</legend>
      <TimeField
        label="Start"
        name="start"
        choice={times.start}
        onChange={times.setStart}
        problem={undefined}
        refusal={problemOf(error, "start_time")}
      />
      <TimeField
        label="End"
        name="end"
        choice={times.end}
        onChange={times.setEnd}
        problem={times.range !== null && times.range.end <= times.range.start ? reversed : undefined}
        refusal={problemOf(error, "end_time")}
      />
    </fieldset>
  )
}
