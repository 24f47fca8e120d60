import { describe, expect, it } from "vitest"
import {
  chosenInstant,
  choiceOf,
  instantOf,
  instantsOf,
  isClockChanged,
  minutesOfWall,
  wallAt,
  wallOf
} from "../pages/calendar/zonedTime.ts"

const at = (text: string) => Date.parse(text)
const newYork = "America/New_York"

describe("wallOf", () => {
  it("returns what the clock of the zone shows", () => {
    expect(wallOf(at("2026-11-27T12:00:59Z"), newYork)).toBe("2026-11-27T07:00")
    expect(wallOf(at("2026-07-01T20:00:00Z"), "Asia/Kathmandu")).toBe("2026-07-02T01:45")
  })

  it("writes midnight as 00:00 of the date that begins", () => {
    expect(wallOf(at("2026-11-27T05:00:00Z"), newYork)).toBe("2026-11-27T00:00")
  })

  it("shows the same time twice when the clock is set back", () => {
    expect(wallOf(at("2026-11-01T05:30:00Z"), newYork)).toBe("2026-11-01T01:30")
    expect(wallOf(at("2026-11-01T06:30:00Z"), newYork)).toBe("2026-11-01T01:30")
  })
})

describe("instantsOf", () => {
  it("returns one instant for a usual time", () => {
    expect(instantsOf("2026-07-01T09:00", newYork)).toEqual([at("2026-07-01T13:00:00Z")])
    expect(instantsOf("2026-12-01T09:00", newYork)).toEqual([at("2026-12-01T14:00:00Z")])
  })

  it("returns one instant for the times just before and after a change of the clock", () => {
    expect(instantsOf("2026-03-08T01:59", newYork)).toEqual([at("2026-03-08T06:59:00Z")])
    expect(instantsOf("2026-03-08T03:00", newYork)).toEqual([at("2026-03-08T07:00:00Z")])
    expect(instantsOf("2026-11-01T00:59", newYork)).toEqual([at("2026-11-01T04:59:00Z")])
    expect(instantsOf("2026-11-01T02:00", newYork)).toEqual([at("2026-11-01T07:00:00Z")])
  })

  it("returns none for a time that the clock leaves out", () => {
    expect(instantsOf("2026-03-08T02:30", newYork)).toEqual([])
    expect(instantsOf("2026-03-29T02:30", "Europe/Berlin")).toEqual([])
  })

  it("returns two for a time that the clock shows twice", () => {
    const both = [at("2026-11-01T05:30:00Z"), at("2026-11-01T06:30:00Z")]
    expect(instantsOf("2026-11-01T01:30", newYork)).toEqual(both)
  })

  it("knows changes of half an hour", () => {
    const zone = "Australia/Lord_Howe"
    expect(instantsOf("2026-10-04T02:15", zone)).toEqual([])
    expect(instantsOf("2026-04-05T01:45", zone)).toHaveLength(2)
    expect(instantsOf("2026-04-05T01:15", zone)).toHaveLength(1)
  })

  it("knows zones far from UTC, and a date that a zone has left out", () => {
    expect(instantsOf("2026-01-01T00:00", "Pacific/Kiritimati")).toEqual([at("2025-12-31T10:00:00Z")])
    expect(instantsOf("2026-01-01T23:00", "Pacific/Niue")).toEqual([at("2026-01-02T10:00:00Z")])
    expect(instantsOf("2011-12-30T12:00", "Pacific/Apia")).toEqual([])
    expect(instantsOf("2011-12-31T12:00", "Pacific/Apia")).toEqual([at("2011-12-30T22:00:00Z")])
  })

  it("returns none for a text that is not a wall time", () => {
    expect(instantsOf("", newYork)).toEqual([])
    expect(instantsOf("2026-13-01T00:00", newYork)).toEqual([])
  })

  it("finds instants of a whole year again by their wall times, in zones with different changes", () => {
    for (const zone of [newYork, "Europe/Berlin", "Australia/Lord_Howe", "Africa/Casablanca", "America/Santiago"])
      for (let instant = at("2026-01-01T00:00:00Z"); instant < at("2027-01-01T00:00:00Z"); instant += 7 * 900_000)
        if (!instantsOf(wallOf(instant, zone), zone).includes(instant))
          throw new Error(`${new Date(instant).toISOString()} is missing in ${zone}`)
  }, 60_000)
})

describe("instantOf", () => {
  it("moves a time that the clock leaves out later by as much as the clock is set forward", () => {
    expect(wallOf(instantOf("2026-03-08T02:30", newYork), newYork)).toBe("2026-03-08T03:30")
  })

  it("returns the first instant of a time that the clock shows twice", () => {
    expect(instantOf("2026-11-01T01:30", newYork)).toBe(at("2026-11-01T05:30:00Z"))
  })

  it("returns the start of a date whose midnight the clock leaves out", () => {
    const zone = "America/Santiago"
    expect(wallOf(instantOf("2026-09-06T00:00", zone), zone)).toBe("2026-09-06T01:00")
  })
})

describe("isClockChanged", () => {
  it("returns true only on the dates of a change", () => {
    expect(
      ["2026-03-07", "2026-03-08", "2026-03-09", "2026-11-01"].map((date) => isClockChanged(date, newYork))
    ).toEqual([false, true, false, true])
  })
})

describe("wallAt", () => {
  it("returns the time of day on a date, and midnight of the next date for 1440 minutes", () => {
    expect(wallAt("2026-02-28", 615)).toBe("2026-02-28T10:15")
    expect(wallAt("2026-02-28", 1_440)).toBe("2026-03-01T00:00")
    expect(minutesOfWall("2026-02-28T10:15")).toBe(615)
  })
})

describe("chosenInstant", () => {
  it("returns the instant for which the choice was made, also in an hour that the clock shows twice", () => {
    for (const text of ["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z", "2026-11-01T07:30:00Z"])
      expect(chosenInstant(choiceOf(at(text), newYork), newYork)).toBe(at(text))
  })

  it("returns null for a time that the clock leaves out", () => {
    expect(chosenInstant({ wall: "2026-03-08T02:30", isSecond: false }, newYork)).toBeNull()
  })
})
