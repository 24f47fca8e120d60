import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import type { CalendarProviderKey, ExternalStatus } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as ExternalStates from "@frontdesk/core/external-calendar/ExternalStates"
import * as DateTime from "effect/DateTime"

const before = DateTime.makeUnsafe("2026-06-01T10:00:00Z")
const now = DateTime.makeUnsafe("2026-06-01T11:00:00Z")
const [owner, mate] = [AccountId.make(1), AccountId.make(2)]

/** Returns a calendar event whose copies have these statuses. */
const event = (statuses: { readonly [P in CalendarProviderKey]?: ExternalStatus }) => ({
  title: "Demo",
  accountId: owner,
  externalCalendars: { google: { id: "copy", revision: null } },
  externalCalendarsStatus: Object.fromEntries(
    Object.entries(statuses).map(([provider, status]) => [provider, { status, at: before }])
  )
})

describe("ExternalStates", () => {
  it("set gives each named calendar the status and its instant, and keeps the other calendars and fields", () => {
    const given = event({ google: "synced", apple: "failed" })
    expect(ExternalStates.set(given, ["google", "outlook"], "conflict", now)).toEqual({
      ...given,
      externalCalendarsStatus: {
        google: { status: "conflict", at: now },
        outlook: { status: "conflict", at: now },
        apple: { status: "failed", at: before }
      }
    })
  })

  it("remove takes away the status of one calendar only", () => {
    const given = event({ google: "synced", apple: "failed" })
    expect(ExternalStates.remove(given, "google")).toEqual({
      ...given,
      externalCalendarsStatus: { apple: { status: "failed", at: before } }
    })
  })

  it.each<[ExternalStatus | undefined, ExternalStatus]>([
    [undefined, "pending"],
    ["synced", "pending"],
    ["kept", "pending"],
    ["failed", "pending"],
    ["conflict", "conflict"],
    ["gone", "gone"]
  ])("a change of a calendar event takes the status of its copy from %s to %s", (status, expected) => {
    const given = event(status === undefined ? {} : { google: status })
    const { externalCalendarsStatus } = ExternalStates.wait(given, ["google"], now)
    const at = expected === status ? before : now
    expect(externalCalendarsStatus).toEqual({ google: { status: expected, at } })
  })

  it.each<[ExternalStatus | undefined, isUnresolved: boolean, isOverwritable: boolean]>([
    [undefined, false, false],
    ["synced", false, false],
    ["kept", false, true],
    ["pending", true, true],
    ["conflict", true, true],
    ["gone", true, true],
    ["failed", true, true]
  ])(
    "with the status %s a copy is unresolved: %s, and can be overwritten: %s",
    (status, isUnresolved, isOverwritable) => {
      const given = event(status === undefined ? {} : { google: status })
      expect(ExternalStates.isUnresolved(given, "google")).toBe(isUnresolved)
      expect(ExternalStates.isResolvable(given, "google", "overwrite")).toBe(isOverwritable)
      expect(ExternalStates.isResolvable(given, "google", "keep_theirs")).toBe(isUnresolved)
    }
  )

  it("the owner sees the copies and their statuses, and another account of the team sees neither", () => {
    const given = event({ google: "synced" })
    expect(ExternalStates.visibleTo(given, owner)).toBe(given)
    expect(ExternalStates.visibleTo(given, mate)).toEqual({
      ...given,
      externalCalendars: {},
      externalCalendarsStatus: {}
    })
  })
})
