import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { Invitation } from "@frontdesk/core/calendar-event/Invitation"
import type { PreviousValues } from "@frontdesk/core/calendar-event/MailFields"
import type { Notification } from "@frontdesk/core/mail/Mailer"
import * as WaitingMail from "@frontdesk/core/mail/WaitingMail"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"
import { sampleEvent } from "../calendar/samples.ts"

// The sample takes place on 2026-06-01 from 10:00 to 11:00.
const now = DateTime.makeUnsafe("2026-05-02T00:00:00Z")
const jo = { name: "Jo", email: "jo@example.com", phone: "1", notes: "" }

/** Returns an event whose customer was invited, as an older version of the software stored it: without `told`. */
const invited = (invitation: Partial<Invitation> = {}, fields: Partial<CalendarEvent> = {}): CalendarEvent => ({
  ...sampleEvent({ customer: jo, ...fields }),
  invitation: { email: jo.email, isSent: true, status: "scheduled", ...invitation }
})

const updated = (event: CalendarEvent, previous?: PreviousValues): Notification => ({
  kind: "updated",
  event,
  ...(previous === undefined ? {} : { previous })
})

const current = (notification: Notification, event: CalendarEvent, at = now) =>
  Option.getOrNull(WaitingMail.current(notification, Option.some(event), at))

describe("WaitingMail.current of a change", () => {
  it("names no previous values when an older version stored both the invitation and the task", () => {
    const event = invited()
    expect(current(updated(event), event)).toEqual({ kind: "updated", event, previous: {} })
  })

  it("names the previous values of the task when an older version sent the last mail", () => {
    const event = invited()
    expect(current(updated(event, { title: "Old" }), event)?.previous).toEqual({ title: "Old" })
  })

  it("names the last mailed status, and not that of the task, when an older version sent the last mail", () => {
    const event = invited({ status: "confirmed" }, { status: "scheduled" })
    const notification = updated(event, { title: "Old", status: "scheduled" })
    expect(current(notification, event)?.previous).toEqual({ title: "Old", status: "confirmed" })
  })

  it("is dropped when no value differs and the result of the last mail is known", () => {
    const event = invited({ told: {}, isAccepted: true })
    expect(current(updated(event, {}), event)).toBeNull()
  })

  it("is sent without previous values when the result of the last mail is unknown (D-MAIL-2)", () => {
    const event = invited({ told: {}, isAccepted: true, isUnanswered: true })
    expect(current(updated(event, {}), event)).toEqual({ kind: "updated", event, previous: {} })
  })

  it("becomes an invitation when it is unknown whether the invitation arrived (D-MAIL-2)", () => {
    const event = invited({ told: {}, isUnanswered: true })
    expect(current(updated(event, {}), event)).toEqual({ kind: "created", event, previous: {} })
  })

  it("becomes an invitation when the address has not been invited", () => {
    const event = { ...invited(), invitation: null }
    expect(current(updated(event, { title: "Old" }), event)).toEqual({ kind: "created", event, previous: {} })
  })

  it("is dropped for an event without an address", () => {
    const event = { ...invited(), customer: { ...jo, email: "" } }
    expect(current(updated(event, { title: "Old" }), event)).toBeNull()
  })
})

describe("WaitingMail.current of a withdrawal", () => {
  const before = invited()
  const after = {
    ...before,
    endTime: DateTime.add(before.endTime, { hours: 1 }),
    customer: { ...jo, email: "ann@example.com" },
    videoConferenceProvider: "Meet"
  }
  const withdrawn: Notification = { kind: "withdrawn", event: before }

  it("shows the event without video conference and without the customer that the event has now (D-MAIL-12)", () => {
    expect(current(withdrawn, after)?.event).toMatchObject({
      uuid: after.uuid,
      title: before.title,
      videoConferenceProvider: "",
      videoConferenceUrl: "",
      customer: { name: "", email: jo.email }
    })
  })

  it("is sent until the end that the withdrawn invitation showed (D-MAIL-12)", () => {
    expect(current(withdrawn, after, DateTime.subtract(before.endTime, { seconds: 1 }))?.kind).toBe("withdrawn")
    expect(current(withdrawn, after, before.endTime)).toBeNull()
  })
})
