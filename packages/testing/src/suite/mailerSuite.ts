import { AccountId } from "@frontdesk/core/access/Account"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { Mailer, type Message, type NotificationKind, type SignInMessage } from "@frontdesk/core/mail/Mailer"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Samples from "./Samples.ts"
import type { SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** What the suite must know about a `Mailer`. `R` are the services of the layer with which a test reads the mailbox. */
export interface MailerSuiteOptions<R> extends SuiteOptions {
  /**
   * Returns the message ids of all messages that have arrived, oldest first. A mail program recognizes a repeat by the
   * same id.
   */
  readonly received: Effect.Effect<ReadonlyArray<string>, never, R>
  /** Whether the mailer sends. Default: true. */
  readonly isEnabled?: boolean
}

/** Verifies a `Mailer`. No other program may send with it while the suite runs. */
export const mailerSuite = <R, E>(
  name: string,
  mailer: Layer.Layer<Mailer | R, E>,
  options: MailerSuiteOptions<R>
): void => {
  const isEnabled = options.isEnabled ?? true

  const arrivals = Effect.fnUntraced(function* (messages: ReadonlyArray<Message>) {
    const { send } = yield* Mailer
    const before = yield* options.received
    yield* Effect.forEach(messages, send)
    return (yield* options.received).slice(before.length)
  })

  layer(mailer, options)(`${name}: Mailer`, (it) => {
    it.effect("enabled is true exactly for a mailer that sends", () =>
      Effect.gen(function* () {
        expect((yield* Mailer).enabled).toBe(isEnabled)
      })
    )

    it.effect("check finds the mailer usable, with an explanation", () =>
      Effect.gen(function* () {
        const { isUsable, says } = yield* (yield* Mailer).check
        expect(isUsable).toBe(true)
        expect(says).not.toBe("")
      })
    )

    it.effect.skipIf(isEnabled)("send of a mailer that is not enabled succeeds, and no message arrives", () =>
      Effect.gen(function* () {
        expect(yield* arrivals([message("created")])).toEqual([])
      })
    )

    it.effect.skipIf(!isEnabled)("send delivers a message once", () =>
      Effect.gen(function* () {
        expect(yield* arrivals([message("created")])).toHaveLength(1)
      })
    )

    it.effect.skipIf(!isEnabled)("sending the same message again uses the same message id", () =>
      Effect.gen(function* () {
        const same = message("updated")
        expect(new Set(yield* arrivals([same, same, same])).size).toBe(1)
      })
    )

    it.effect.skipIf(!isEnabled)(
      "messages that differ in kind, calendar event, sequence, change or recipient have different message ids",
      () =>
        Effect.gen(function* () {
          const first = message("updated")
          const others = kinds.filter((kind) => kind !== first.kind).map((kind) => ({ ...first, kind }))
          const moved = { ...first, event: { ...first.event, sequence: first.event.sequence + 1 } }
          // A change of the description does not raise the sequence.
          const rewritten = { ...first, event: { ...first.event, description: "Other", updatedAt: Samples.later(1) } }
          // Mails about two changes that are sent late show the same calendar event and differ only in `previous`.
          const earlier = { ...first, previous: { title: "Before" } }
          const readdressed = {
            ...first,
            event: { ...first.event, customer: { ...first.event.customer, email: "a@b.cd" } }
          }
          // Another calendar event, because its UUID is new.
          const another = message("updated")
          const messages = [first, ...others, moved, rewritten, earlier, readdressed, another]
          expect(new Set(yield* arrivals(messages)).size).toBe(messages.length)
        })
    )

    it.effect.skipIf(!isEnabled)(
      "sendSignIn delivers a mail once, with the same message id for the same link, and accepts any texts",
      () =>
        Effect.gen(function* () {
          const { sendSignIn } = yield* Mailer
          if (sendSignIn === undefined) return
          const arrivalsOf = Effect.fnUntraced(function* (messages: ReadonlyArray<SignInMessage>) {
            const before = yield* options.received
            yield* Effect.forEach(messages, sendSignIn)
            return (yield* options.received).slice(before.length)
          })
          const first = signIn(1)
          expect(yield* arrivalsOf([first])).toHaveLength(1)
          expect(new Set(yield* arrivalsOf([first, first])).size).toBe(1)
          const others = [signIn(2), { ...signIn(3), kind: "invitation" as const }]
          expect(new Set(yield* arrivalsOf([first, ...others])).size).toBe(3)
          const odd = Samples.oddTexts.map((text, index) => ({ ...signIn(10 + index), name: text, accountName: text }))
          expect(new Set(yield* arrivalsOf(odd)).size).toBe(odd.length)
        })
    )

    it.effect.skipIf(!isEnabled)("send accepts a calendar event and an account with any texts", () =>
      Effect.gen(function* () {
        const messages = Samples.oddTexts.map((text): Message => {
          const { account, event, kind } = message("created")
          return {
            kind,
            previous: {},
            account: { ...account, name: text },
            event: { ...event, title: text, description: text, customer: { ...event.customer, name: text } }
          }
        })
        expect(new Set(yield* arrivals(messages)).size).toBe(messages.length)
      })
    )
  })
}

const kinds: ReadonlyArray<NotificationKind> = ["created", "updated", "cancelled", "withdrawn", "reminder"]

const signIn = (linkId: number): SignInMessage => ({
  kind: "sign_in",
  linkId,
  email: "zoe@example.com",
  name: "Zoë",
  accountName: "Ada & Co.",
  url: Redacted.make(`https://desk.example.com/dashboard/sign-in/${linkId}`),
  createdAt: Samples.now,
  expiresAt: Samples.later(15),
  timeZone: TimeZone.make("Europe/Paris")
})

const message = (kind: NotificationKind): Message => ({
  kind,
  previous: {},
  account: { name: "Ada & Co.", timeZone: TimeZone.make("Europe/Paris") },
  event: {
    ...Samples.newCalendarEvent(AccountId.make(1)),
    id: CalendarEventId.make(1),
    customer: { name: "Zoë", email: "zoe@example.com", phone: "", notes: "" }
  }
})
