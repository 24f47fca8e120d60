import { expect, layer } from "@effect/vitest"
import { Mailer, type Message, type NotificationKind } from "@frontdesk/core/mail/Mailer"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import type { Arrival } from "@frontdesk/provider-fakes/mail/MailServer"
import { calendar, files, read } from "@frontdesk/provider-fakes/mail/Reading"
import * as arbitrary from "@frontdesk/testing/arbitrary/calendar"
import * as Property from "@frontdesk/testing/Property"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { Inbox, mailer } from "./Inbox.ts"

/** Generates texts that try to break out of a header, a part or an attribute. */
const hostileText = fc.oneof(
  arbitrary.oddText({ maxLength: 30 }),
  fc.constantFrom(
    "\r\nBcc: eve@example.com",
    "\nSubject: other\n\nbody",
    '"><eve@example.com>, "',
    "eve@example.com, a@example.com;",
    "=?utf-8?Q?=0D=0ABcc:_eve@example.com?=",
    "----_NmP-=_",
    "\u202e\u2066مرحبا",
    "x".repeat(998)
  )
)

const customer = fc.record({
  name: hostileText,
  email: fc.constantFrom("zoe@example.com", "o'zoe+a=b@example.com", "zoe@exämple.com", "a.b@xn--exmple-cua.com"),
  phone: hostileText,
  notes: hostileText
})

const messages: fc.Arbitrary<Message> = fc.record({
  kind: fc.constantFrom<NotificationKind>("created", "updated", "cancelled", "withdrawn", "reminder"),
  previous: fc.record({ title: hostileText, location: hostileText, description: hostileText }, { requiredKeys: [] }),
  account: fc.record({
    name: hostileText,
    timeZone: fc.constantFrom(TimeZone.make("Asia/Tokyo"), TimeZone.make("UTC"))
  }),
  event: fc
    .tuple(arbitrary.calendarEvent({ text: hostileText }), customer, fc.oneof(hostileText, fc.webUrl()))
    .map(([event, customer, videoConferenceUrl]) => ({ ...event, customer, videoConferenceUrl }))
})

const toUnicode = (address: string): string => address.replace("xn--exmple-cua", "exämple")

layer(Layer.provideMerge(mailer({ from: "desk@example.com" }), Inbox.layer))("laws of mail", (it) => {
  const law = (check: (message: Message, arrival: Arrival) => Effect.Effect<void>) =>
    Effect.gen(function* () {
      const { send } = yield* Mailer
      const inbox = yield* Inbox
      yield* Property.forAll(
        messages,
        Effect.fnUntraced(function* (message) {
          yield* send(message)
          const arrival = (yield* inbox.arrivals).at(-1)
          if (arrival === undefined) throw new Error("Nothing has arrived")
          yield* check(message, arrival)
        }),
        { numRuns: 80 }
      )
    })

  it.effect("a mail with any texts has exactly our headers, one sender and one recipient", () =>
    law((message, arrival) =>
      Effect.gen(function* () {
        const mail = yield* Effect.promise(() => read(arrival.bytes))
        expect(mail.headers.map(({ key }) => key).toSorted()).toEqual([
          "auto-submitted",
          "content-type",
          "date",
          "from",
          "message-id",
          "mime-version",
          "subject",
          "to"
        ])
        // The mail server and the parser of the mail decode the domain from ASCII to Unicode.
        const address = toUnicode(message.event.customer.email)
        expect(arrival.to).toEqual([address])
        expect(mail.to?.map((each) => toUnicode(each.address ?? ""))).toEqual([address])
        expect(arrival.bytes).toContain(address.replace("exämple", "xn--exmple-cua"))
        expect(mail.from?.address).toBe("desk@example.com")
      })
    )
  )

  it.effect("a mail with any texts has exactly our parts, and an invitation with one event", () =>
    law((message, arrival) =>
      Effect.gen(function* () {
        const mail = yield* Effect.promise(() => read(arrival.bytes))
        expect(mail.attachments).toHaveLength(message.kind === "reminder" ? 0 : 2)
        for (const file of files(mail)) {
          const { count, method, value } = calendar(file)
          expect([count, method]).toEqual([
            1,
            message.kind === "cancelled" || message.kind === "withdrawn" ? "CANCEL" : "REQUEST"
          ])
          expect([value("uid"), value("sequence")]).toEqual([message.event.uuid, String(message.event.sequence)])
        }
        // The parser joins alternative HTML parts, so a forged part would appear here.
        expect(mail.html?.match(/<!DOCTYPE html>/g)).toHaveLength(1)
        expect(mail.html?.trimEnd().endsWith("</body></html>")).toBe(true)
      })
    )
  )

  it.effect(
    "a mail with any texts is ASCII, in lines of at most 998 octets without a lone CR or LF (RFC 5322 2.1)",
    () =>
      law((_message, { bytes }) =>
        Effect.sync(() => {
          expect(bytes.replaceAll("\r\n", "")).not.toMatch(/[^\x20-\x7e\t]/)
          for (const line of bytes.split("\r\n")) expect(line.length).toBeLessThanOrEqual(998)
        })
      )
  )
})
