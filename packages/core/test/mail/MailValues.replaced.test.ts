import { describe, expect, it } from "@effect/vitest"
import * as MailValues from "@frontdesk/core/mail/MailValues"
import * as DateTime from "effect/DateTime"

const at = (time: string) => DateTime.makeUnsafe(`2026-06-01T${time}Z`)

const after: MailValues.MailValues = {
  title: "Demo",
  description: "",
  status: "scheduled",
  startTime: at("10:00:00"),
  endTime: at("11:00:00"),
  location: null,
  videoConferenceUrl: "https://meet.example.com/a",
  videoConferenceProvider: "Meet"
}

describe("MailValues.replaced", () => {
  it("replaced returns only previous values that are given and differ as a mail shows them", () => {
    expect(MailValues.replaced({}, after)).toStrictEqual({})
    expect(MailValues.replaced({ title: "Old", location: "" }, after)).toStrictEqual({ title: "Old" })
    expect(MailValues.isEmpty(MailValues.replaced({ title: " Demo\n" }, after))).toBe(true)
  })

  it.each([
    ["10:00:59.999", false],
    ["09:59:59.999", true],
    ["10:01:00", true]
  ])("a start that was %s is replaced by 10:00:00: %s, because a mail shows whole minutes", (time, isReplaced) => {
    const previous = MailValues.replaced({ startTime: at(time) }, after)
    expect(previous).toStrictEqual(isReplaced ? { startTime: at(time) } : {})
  })

  it.each([
    ["another provider", { videoConferenceProvider: "Zoom" }, { videoConferenceProvider: "Zoom" }],
    ["the same provider", { videoConferenceProvider: "Meet" }, {}],
    [
      "no link, and an unknown provider",
      { videoConferenceUrl: "" },
      { videoConferenceUrl: "", videoConferenceProvider: "" }
    ],
    ["another link, and an unknown provider", { videoConferenceUrl: "https://b" }, { videoConferenceUrl: "https://b" }],
    ["another title only", { title: "Old" }, { title: "Old" }]
  ])("a mail that showed %s is compared with the present link and provider", (_, before, previous) => {
    expect(MailValues.replaced(before, after)).toStrictEqual(previous)
  })

  it("changedSinceMail returns what the last mail showed, without the status", () => {
    const before = { ...after, title: "Second", status: "confirmed" as const }
    expect(MailValues.changedSinceMail({ title: "First" }, before, after)).toStrictEqual({ title: "First" })
    expect(MailValues.changedSinceMail({}, before, after)).toStrictEqual({ title: "Second" })
    expect(MailValues.changedSinceMail({ title: "Demo" }, before, after)).toStrictEqual({})
  })
})
