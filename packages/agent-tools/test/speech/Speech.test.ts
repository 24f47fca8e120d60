import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { English, Speech, type Texts } from "@frontdesk/agent-tools"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const zoneOf = Schema.decodeSync(TimeZone)
const dateOf = Schema.decodeSync(CalendarDate)
const newYork = zoneOf("America/New_York")
const at = (text: string) => Date.parse(text)

/** A speaker in New York on Monday 23 November 2026, at 9 in the morning. */
const speaker: Speech.Speaker = { zone: newYork, now: at("2026-11-23T14:00:00Z") }

describe("Speech.moment", () => {
  it.each([
    ["2026-11-23T20:00:00Z", "today at 3 pm"],
    ["2026-11-24T20:30:00Z", "tomorrow at 3:30 pm"],
    ["2026-11-25T05:00:00Z", "Wednesday the 25th at 12 am"],
    ["2026-11-25T17:00:00Z", "Wednesday the 25th at noon"],
    ["2026-11-25T17:05:00Z", "Wednesday the 25th at 12:05 pm"],
    ["2026-11-22T14:00:00Z", "Sunday the 22nd at 9 am"],
    ["2026-12-01T15:00:59.999Z", "Tuesday December 1st at 10 am"],
    ["2027-01-03T14:00:00Z", "Sunday January 3rd at 9 am"],
    ["2027-11-24T14:00:00Z", "Wednesday November 24th 2027 at 9 am"],
    ["2025-11-24T14:00:00Z", "Monday November 24th 2025 at 9 am"]
  ])("%s is %j in New York on 23 November 2026", (instant, words) => {
    expect(Speech.moment(speaker, at(instant))).toBe(words)
  })

  it("tomorrow begins at local midnight, not after 24 hours", () => {
    const late = { zone: newYork, now: at("2026-11-24T04:59:00Z") }
    expect(Speech.moment(late, at("2026-11-24T05:00:00Z"))).toBe("tomorrow at 12 am")
    expect(Speech.moment(late, at("2026-11-24T04:59:30Z"))).toBe("today at 11:59 pm")
  })

  it("a time that occurs twice tells which of the two is meant", () => {
    const october = { zone: newYork, now: at("2026-10-31T14:00:00Z") }
    expect(Speech.moment(october, at("2026-11-01T05:30:00Z"))).toBe("tomorrow at 1:30 am")
    expect(Speech.moment(october, at("2026-11-01T06:30:00Z"))).toBe("tomorrow at 1:30 am after the clocks go back")
  })

  it.each([
    [1, "1st"],
    [2, "2nd"],
    [3, "3rd"],
    [4, "4th"],
    [11, "11th"],
    [12, "12th"],
    [13, "13th"],
    [21, "21st"],
    [22, "22nd"],
    [31, "31st"]
  ])("day %i of a month is %s", (day, ordinal) => {
    const date = dateOf(`2026-12-${String(day).padStart(2, "0")}`)
    expect(Speech.day(speaker, date)).toMatch(new RegExp(`day December ${ordinal}$`))
  })
})

it("Speech.present names weekday and date also of the present day", () => {
  expect(Speech.present({ zone: newYork, now: at("2026-11-24T20:00:00Z") })).toBe("It is Tuesday the 24th, 3 pm.")
  expect(Speech.present({ zone: newYork, now: at("2026-11-01T06:30:00Z") })).toBe(
    "It is Sunday the 1st, 1:30 am after the clocks go back."
  )
})

describe("Speech.choices", () => {
  it("the times of a day are offered together", () => {
    const instants = ["2026-11-24T20:00:00Z", "2026-11-24T20:30:00Z", "2026-11-24T21:00:00Z", "2026-12-01T15:00:00Z"]
    expect(English.english.slots(Speech.choices(speaker, instants.map(at)))).toBe(
      "I have tomorrow at 3 pm, 3:30 pm or 4 pm, or Tuesday December 1st at 10 am. Which one do you want?"
    )
    expect(Speech.choices(speaker, [])).toEqual([])
  })
})

describe("Speech.nextDays", () => {
  it("14 days begin with the present local date", () => {
    const days = Speech.nextDays({ zone: zoneOf("Pacific/Kiritimati"), now: at("2026-12-25T12:00:00Z") })
    expect(days).toHaveLength(14)
    expect(days[0]).toEqual({ date: "2026-12-26", weekday: "Saturday" })
    expect(days[13]).toEqual({ date: "2027-01-08", weekday: "Friday" })
  })
})

it("texts in another language replace every word", () => {
  const days = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"]
  const german: Texts.Texts = {
    ...English.english,
    language: "de",
    weekday: (day) => days[day - 1] ?? "",
    day: ({ day, month, weekday }) => `${days[weekday - 1]}, ${day}.${month}.`,
    time: ({ hour, minute }) => (minute === 0 ? `${hour} Uhr` : `${hour} Uhr ${minute}`),
    moment: (day, time) => `${day} um ${time}`
  }
  const german1 = { ...speaker, texts: german }
  expect(Speech.moment(german1, at("2026-11-24T20:30:00Z"))).toBe("Dienstag, 24.11. um 15 Uhr 30")
  expect(Speech.nextDays(german1, 1)).toEqual([{ date: "2026-11-23", weekday: "Montag" }])
})

it("every English text is one line that a voice can read", () => {
  const example = { year: 2026, month: 11, day: 24, weekday: 2, daysFromNow: 1, isThisMonth: true }
  const texts = English.english
  const lines = [
    ...Object.values(texts).filter((text) => typeof text === "string"),
    ...[texts.slotHeld, texts.booked, texts.alreadyBooked, texts.moved, texts.cancelled, texts.callbackRequested].map(
      (text) => text("tomorrow at 3 pm")
    ),
    texts.now(example, "3 pm"),
    ...[[], ["a"], ["a", "b"]].flatMap((each) =>
      [texts.slots, texts.slotTaken, texts.tooLate, texts.appointments].map((text) => text(each))
    ),
    ...[null, "Jo"].map(texts.contact),
    ...["", "from_date", "phone_numbers[0].type"].map(texts.invalidArguments),
    texts.wrongWeekday(example),
    texts.durationMismatch(90),
    texts.skippedTime("tomorrow")
  ]
  for (const line of lines) expect(line).toMatch(/^[\w ,.?']+$/)
})
