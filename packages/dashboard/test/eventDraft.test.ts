import { describe, expect, it } from "vitest"
import { changedIn, draftIn, writeOptionsIn } from "../pages/calendar/eventDraft.ts"

const formOf = (fields: Readonly<Record<string, string>>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

const filled = {
  title: " Visit ",
  event_type: "voice_call",
  status: "confirmed",
  location: "",
  customer_notes: " one\ntwo ",
  is_reminder_enabled: "on",
  remind_before_minutes: "90",
  ai_agent_id: "7",
  team_id: ""
}

describe("the draft of an event", () => {
  it("has the fields of a form, without white space around texts of one line", () => {
    expect(draftIn(formOf(filled))).toMatchObject({
      title: "Visit",
      event_type: "voice_call",
      status: "confirmed",
      location: null,
      customer_notes: " one\ntwo ",
      has_video_conference: false,
      is_reminder_enabled: true,
      remind_before_minutes: 90,
      ai_agent_id: 7,
      team_id: null,
      description: undefined
    })
  })

  it("has as changes only what differs, and nothing for a form that was not changed", () => {
    const changed = formOf({ ...filled, title: "Visit", location: "Room 1", ai_agent_id: "" })
    changed.delete("is_reminder_enabled")
    expect(changedIn(changed, formOf(filled))).toEqual({
      location: "Room 1",
      ai_agent_id: null,
      is_reminder_enabled: false
    })
    expect(changedIn(formOf(filled), formOf(filled))).toEqual({})
  })

  it("leaves out fields that the form does not have", () => {
    expect(Object.keys(changedIn(formOf({ title: "Visit" }), new FormData()))).toEqual(["title"])
  })

  it("states the choices of a write that differ from the default", () => {
    const all = { require_available: "on", send_notifications: "on", sync_external_calendars: "on" }
    expect(writeOptionsIn(formOf(all), true)).toEqual({ require_available: true })
    expect(writeOptionsIn(formOf(all), false)).toEqual({})
    expect(writeOptionsIn(formOf({}), true)).toEqual({ send_notifications: false, sync_external_calendars: false })
  })
})
