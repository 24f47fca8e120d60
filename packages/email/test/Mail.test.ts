import { describe, expect, it } from "@effect/vitest"
import { Mailer, type Message, type NotificationKind } from "@frontdesk/core/mail/Mailer"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import type { Arrival } from "@frontdesk/provider-fakes/mail/MailServer"
import { calendar, files, read } from "@frontdesk/provider-fakes/mail/Reading"
import { at, oddTexts } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Template } from "../src/MailTemplate.ts"
import { Inbox, mailer } from "./Inbox.ts"
import { message } from "./samples.ts"

const inbox = (options: Parameters<typeof mailer>[0] = {}) => Layer.provideMerge(mailer(options), Inbox.layer)

const send = Effect.fnUntraced(function* (...messages: ReadonlyArray<Message>) {
  const { send } = yield* Mailer
  yield* Effect.forEach(messages, send)
  return yield* (yield* Inbox).arrivals
})

const mailOf = (arrival: Arrival | undefined) => Effect.promise(() => read(arrival?.bytes ?? ""))

const one = (message: Message) => Effect.flatMap(send(message), ([arrival]) => mailOf(arrival))

describe("a mail", () => {
  it.effect("a mail is sent over TLS, with the login, from the sender to the customer alone", () =>
    Effect.gen(function* () {
      const [arrival] = yield* send(message("created"))
      expect(arrival).toMatchObject({
        from: "desk@example.com",
        to: ["zoe@example.com"],
        isEncrypted: true,
        user: "desk"
      })
      const mail = yield* mailOf(arrival)
      expect(mail.from).toMatchObject({ name: "Front desk", address: "desk@example.com" })
      expect(mail.to).toMatchObject([{ name: "Zoë", address: "zoe@example.com" }])
      expect([mail.cc, mail.bcc, mail.replyTo]).toEqual([undefined, undefined, undefined])
      expect(mail.headers.find(({ key }) => key === "auto-submitted")?.value).toBe("auto-generated")
    }).pipe(Effect.provide(inbox()))
  )

  it.effect("a mail has the account's name as its sender when the settings have no name", () =>
    Effect.gen(function* () {
      expect((yield* one(message("created"))).from).toMatchObject({ name: "Ada & Co.", address: "desk@example.com" })
    }).pipe(Effect.provide(inbox({ from: "desk@example.com" })))
  )

  it.effect.each<readonly [NotificationKind, string, string, string]>([
    ["created", "REQUEST", "Invitation: Demo", "TENTATIVE"],
    ["updated", "REQUEST", "Changed: Demo", "TENTATIVE"],
    ["cancelled", "CANCEL", "Cancelled: Demo", "CANCELLED"]
  ])(
    "a mail of the kind %s has the method %s in its Content-Type and in the file (RFC 6047)",
    ([kind, method, subject, status]) =>
      Effect.gen(function* () {
        const mail = yield* one(message(kind, { sequence: 3 }))
        expect(mail.subject).toBe(subject)
        expect(mail.attachments.map(({ filename, method, mimeType }) => ({ filename, method, mimeType }))).toEqual([
          { filename: null, method, mimeType: "text/calendar" },
          { filename: "invite.ics", method: undefined, mimeType: "application/ics" }
        ])
        const [alternative, attached] = files(mail)
        expect(alternative).toBe(attached)
        const event = calendar(alternative ?? "")
        expect([event.method, event.count, event.value("status")]).toEqual([method, 1, status])
        expect([event.value("uid"), event.value("sequence")]).toEqual(["0c9a3f0e-6b1d-4b8e-9c5a-1f2e3d4c5b6a", "3"])
        expect(event.value("organizer")).toBe("mailto:desk@example.com")
        expect(event.value("attendee")).toBe("mailto:zoe@example.com")
        expect(mail.text).toContain("Demo")
        expect(mail.html).toContain("<h1")
      }).pipe(Effect.provide(inbox()))
  )

  it.effect("an invitation requests no reply without an address for replies", () =>
    Effect.gen(function* () {
      const mail = yield* one(message("created"))
      expect([mail.replyTo, files(mail)[0]?.includes("RSVP=FALSE")]).toEqual([undefined, true])
    }).pipe(Effect.provide(inbox()))
  )

  it.effect(
    "the address for replies is the Reply-To and the organizer, and the invitation requests a reply (D-MAIL-13)",
    () =>
      Effect.gen(function* () {
        const mail = yield* one(message("created"))
        expect(mail.replyTo?.map(({ address }) => address)).toEqual(["answers@example.com"])
        expect(files(mail)[0]?.replaceAll("\r\n ", "")).toContain("RSVP=TRUE")
        expect(calendar(files(mail)[0] ?? "").value("organizer")).toBe("mailto:answers@example.com")
        expect((yield* Mailer).organizer).toBe("answers@example.com")
      }).pipe(Effect.provide(inbox({ replyTo: "answers@example.com" })))
  )

  it.effect("a withdrawal cancels the invitation of one address, and not the event", () =>
    Effect.gen(function* () {
      const mail = yield* one(message("withdrawn"))
      expect(mail.subject).toBe("Withdrawn: Demo")
      const event = calendar(files(mail)[0] ?? "")
      expect([event.method, event.value("status")]).toEqual(["CANCEL", ""])
      expect(event.value("attendee")).toBe("mailto:zoe@example.com")
    }).pipe(Effect.provide(inbox()))
  )

  it.effect("a reminder has no invitation, because a second one would show the event as new (D-MAIL-4)", () =>
    Effect.gen(function* () {
      const mail = yield* one(message("reminder"))
      expect([mail.subject, mail.attachments]).toEqual(["Reminder: Demo", []])
    }).pipe(Effect.provide(inbox()))
  )

  it.effect("a repeated mail has the same bytes as the first (D-MAIL-1)", () =>
    Effect.gen(function* () {
      for (const kind of ["created", "updated", "cancelled", "reminder"] as const) {
        const before = (yield* (yield* Inbox).arrivals).length
        const odd = message(kind, { description: oddTexts.join("\n"), title: "日本語 ".repeat(20) })
        yield* send(odd)
        const [first, again] = (yield* send(odd)).slice(before)
        expect(first?.bytes).toBe(again?.bytes)
        expect(first?.bytes).toContain("Message-ID: <")
      }
    }).pipe(Effect.provide(inbox()))
  )

  it.effect("a text that contains the boundaries of the mail forges no part", () =>
    Effect.gen(function* () {
      // The mail is all ASCII, so that quoted-printable would have nothing to encode but the boundaries.
      const customer = { ...message("created").event.customer, name: "Jo" }
      const [known] = yield* send(message("created", { customer }))
      const boundaries = [...(known?.bytes.matchAll(/boundary="([^"]+)"/g) ?? [])].map(([, boundary]) => boundary)
      expect(boundaries).toHaveLength(2)
      const forged = boundaries.map((boundary) => `--${boundary}\nContent-Type: text/html\n\nforged\n--${boundary}--`)
      const arrived = yield* send(message("created", { customer, description: forged.join("\n") }))
      const bytes = arrived.at(-1)?.bytes ?? ""
      for (const boundary of boundaries) {
        // The number of boundaries is unchanged, so the text begins no part.
        expect(bytes.split(`--${boundary}`).length).toBe(known?.bytes.split(`--${boundary}`).length)
      }
      expect((yield* mailOf(arrived.at(-1))).text).toContain(forged[0])
    }).pipe(Effect.provide(inbox()))
  )

  it.effect(
    "each revision, kind and recipient leads to another Message-ID, which reveals none of them (D-MAIL-1)",
    () =>
      Effect.gen(function* () {
        const first = message("updated")
        const { customer, updatedAt } = first.event
        const arrivals = yield* send(
          first,
          message("created"),
          message("updated", { sequence: 1 }),
          message("updated", { updatedAt: DateTime.add(updatedAt, { milliseconds: 1 }) }),
          message("updated", { customer: { ...customer, email: "jo@example.com" } })
        )
        const ids = yield* Effect.forEach(arrivals, (arrival) => Effect.map(mailOf(arrival), (mail) => mail.messageId))
        expect(new Set(ids).size).toBe(5)
        for (const id of ids) expect(id).toMatch(/^<[\da-f]{32}@example\.com>$/)
      }).pipe(Effect.provide(inbox()))
  )

  it.effect("the date of a mail is the time of the change, and that of a reminder its due time or a later change", () =>
    Effect.gen(function* () {
      const date = (message: Message) =>
        Effect.map(send(message), (all) => /^Date: (.*)\r$/m.exec(all.at(-1)?.bytes ?? "")?.[1])
      expect(yield* date(message("created"))).toBe("Fri, 01 May 2026 12:30:15 +0000")
      expect(yield* date(message("reminder", { remindBeforeMinutes: 90 }))).toBe("Mon, 01 Jun 2026 06:30:00 +0000")
      const late = { updatedAt: at("2026-06-01T07:59:00Z"), remindBeforeMinutes: 90 }
      expect(yield* date(message("reminder", late))).toBe("Mon, 01 Jun 2026 07:59:00 +0000")
    }).pipe(Effect.provide(inbox()))
  )
})

describe("the text of a mail", () => {
  it.effect("a mail has title, time in the account's zone, place, link and description, and not the notes", () =>
    Effect.gen(function* () {
      const mail = yield* one(
        message("created", {
          description: "Bring <papers> & a pen\r\nSecond line",
          location: "12 Rue d'Ulm",
          videoConferenceUrl: "https://meet.example.com/a?b=1&c=2",
          videoConferenceProvider: "Meet"
        })
      )
      expect(mail.text).toBe(
        [
          "Hello Zoë,",
          "",
          "You are invited to this event.",
          "",
          "Demo",
          "When: Monday 1 June 2026, 10:00 to 11:00 (Europe/Paris, UTC+02:00)",
          "Where: 12 Rue d'Ulm",
          "Meet: https://meet.example.com/a?b=1&c=2",
          "",
          "Bring <papers> & a pen",
          "Second line",
          "",
          "Ada & Co.\n"
        ].join("\n")
      )
      expect(mail.html).toContain("Bring &lt;papers&gt; &amp; a pen\nSecond line")
      expect(mail.html).toContain('<td dir="auto">12 Rue d&#39;Ulm</td>')
      expect(mail.html).toContain('<a href="https://meet.example.com/a?b=1&amp;c=2">')
      expect(mail.html).toContain("Ada &amp; Co.")
    }).pipe(Effect.provide(inbox()))
  )

  it.effect("a mail about a change has the old and the new values, in the text and in the HTML (D-MAIL-2)", () =>
    Effect.gen(function* () {
      const changed = message("updated", { title: "New <b>", location: "Room 2", description: "Bring a pen" })
      const mail = yield* one({
        ...changed,
        previous: {
          status: "cancelled",
          title: "Demo",
          startTime: at("2026-06-01T07:00:00Z"),
          location: null,
          videoConferenceUrl: "https://meet.example.com/a",
          description: `Bring\n${"x".repeat(600)}`
        }
      })
      expect(mail.text?.split("\n\n").slice(1, 8)).toEqual([
        "This event has changed.",
        "Status has changed\nBefore: Cancelled\nNow: Scheduled",
        "Title has changed\nBefore: Demo\nNow: New <b>",
        [
          "When has changed",
          "Before: Monday 1 June 2026, 09:00 to 11:00 (Europe/Paris, UTC+02:00)",
          "Now: Monday 1 June 2026, 10:00 to 11:00 (Europe/Paris, UTC+02:00)"
        ].join("\n"),
        "Where has changed\nBefore: none\nNow: Room 2",
        "Video has changed\nBefore: https://meet.example.com/a\nNow: none",
        `Description has changed\nBefore: Bring ${"x".repeat(493)}…\nNow: Bring a pen`
      ])
      expect(mail.html).toContain('<td dir="auto"><s>Demo</s></td><td dir="auto">New &lt;b&gt;</td>')
      expect(mail.html).toContain('<td dir="auto"><s>none</s></td><td dir="auto">Room 2</td>')
    }).pipe(Effect.provide(inbox()))
  )

  it.effect.each<readonly [string, string, string]>([
    [
      "2026-06-01T20:00:00Z",
      "2026-06-02T05:30:00Z",
      "Monday 1 June 2026, 22:00 to Tuesday 2 June 2026, 07:30 (Europe/Paris, UTC+02:00)"
    ],
    [
      "2026-10-25T00:30:00Z",
      "2026-10-25T01:30:00Z",
      "Sunday 25 October 2026, 02:30 (UTC+02:00) to Sunday 25 October 2026, 02:30 (UTC+01:00), Europe/Paris"
    ]
  ])("a time range over two dates or two offsets is unambiguous: %s to %s", ([start, end, text]) =>
    Effect.gen(function* () {
      const mail = yield* one(message("created", { startTime: at(start), endTime: at(end) }))
      expect(mail.text).toContain(`When: ${text}\n`)
    }).pipe(Effect.provide(inbox()))
  )

  it.effect("a time of an account in UTC is in UTC", () =>
    Effect.gen(function* () {
      const { account, ...rest } = message("created")
      const mail = yield* one({ ...rest, account: { ...account, timeZone: TimeZone.make("UTC") } })
      expect(mail.text).toContain("08:00 to 09:00 (UTC, UTC+00:00)")
    }).pipe(Effect.provide(inbox()))
  )

  it.effect("a URL that is not http or https is not a link", () =>
    Effect.gen(function* () {
      const mail = yield* one(message("created", { videoConferenceUrl: "javascript:alert(1)" }))
      expect(mail.html).not.toContain("href")
    }).pipe(Effect.provide(inbox()))
  )

  it.effect("a subject has at most 150 whole characters, and none that changes the direction of text", () =>
    Effect.gen(function* () {
      const long = yield* one(message("created", { title: "👩".repeat(255) }))
      expect(long.subject).toBe(`Invitation: ${"👩".repeat(137)}…`)
      const turned = yield* send(message("created", { title: "a\u202eb\u2066c\r\n\r\nBcc: eve@example.com" }))
      expect((yield* mailOf(turned.at(-1))).subject).toBe("Invitation: abc Bcc: eve@example.com")
    }).pipe(Effect.provide(inbox()))
  )

  it.effect("a text that looks like an encoded word (RFC 2047) is not decoded (D-MAIL-9)", () =>
    Effect.gen(function* () {
      const coded = "=?utf-8?Q?Zo=C3=AB=0D=0ABcc:_eve@example.com=E2=80=AE?="
      const { account, event } = message("created", { title: coded })
      const mail = yield* one({
        kind: "created",
        previous: {},
        account: { ...account, name: coded },
        event: { ...event, customer: { ...event.customer, name: coded } }
      })
      const shown = coded.replace("=?", "= ?")
      expect([mail.subject, mail.to?.[0]?.name]).toEqual([`Invitation: ${shown}`, shown])
    }).pipe(Effect.provide(inbox()))
  )

  const german: Template = ({ event, kind }) => ({
    subject: `${kind}:\r\nBcc: eve@example.com ${event.title}`,
    text: "Hallo\u0000 Welt",
    html: "<p>Hallo</p>"
  })

  it.effect("a custom template sets subject, text and HTML, and its subject cannot begin a header", () =>
    Effect.gen(function* () {
      const mail = yield* one(message("created"))
      expect([mail.subject, mail.text, mail.html, mail.bcc]).toEqual([
        "created: Bcc: eve@example.com Demo",
        "Hallo Welt\n",
        "<p>Hallo</p>\n",
        undefined
      ])
      expect(mail.attachments).toHaveLength(2)
    }).pipe(Effect.provide(inbox({ template: german })))
  )
})
