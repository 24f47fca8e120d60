import { AccountId } from "@frontdesk/core/access/Account"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { Mailer, type Message, type NotificationKind } from "@frontdesk/core/mail/Mailer"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Samples from "./Samples.ts"
import type { SuiteOptions } from "./Storage.ts"

/** What the suite cannot know of a mailer; `R` is what the layer gives beside it to look into the mailbox. */
export interface MailerSuiteOptions<R> extends SuiteOptions {
  /** What a receiver tells repeats by, of every message that arrived so far, oldest first: the message's id. */
  readonly received: Effect.Effect<ReadonlyArray<string>, never, R>
  /** Whether the mailer sends at all: true unless said. */
  readonly isEnabled?: boolean
}

/** What every `Mailer` promises. Nobody else may send with it meanwhile. */
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
    it.effect("it says whether it sends", () =>
      Effect.gen(function* () {
        expect((yield* Mailer).enabled).toBe(isEnabled)
      })
    )

    it.effect.skipIf(isEnabled)("one that does not send takes a message, and nothing arrives", () =>
      Effect.gen(function* () {
        expect(yield* arrivals([message("created")])).toEqual([])
      })
    )

    it.effect.skipIf(!isEnabled)("a message arrives once", () =>
      Effect.gen(function* () {
        expect(yield* arrivals([message("created")])).toHaveLength(1)
      })
    )

    it.effect.skipIf(!isEnabled)("a repeat is recognisable as a repeat", () =>
      Effect.gen(function* () {
        const same = message("updated")
        expect(new Set(yield* arrivals([same, same, same])).size).toBe(1)
      })
    )

    it.effect.skipIf(!isEnabled)("messages that differ in anything are no repeats", () =>
      Effect.gen(function* () {
        const first = message("updated")
        const others = kinds.filter((kind) => kind !== first.kind).map((kind) => ({ ...first, kind }))
        const moved = { ...first, event: { ...first.event, sequence: first.event.sequence + 1 } }
        // A change of a text leaves the sequence as it is.
        const rewritten = { ...first, event: { ...first.event, description: "Other", updatedAt: Samples.later(1) } }
        // Two changes that were sent late show the same state.
        const earlier = { ...first, previous: { title: "Before" } }
        const readdressed = {
          ...first,
          event: { ...first.event, customer: { ...first.event.customer, email: "a@b.cd" } }
        }
        const messages = [first, ...others, moved, rewritten, earlier, readdressed, message("updated")]
        expect(new Set(yield* arrivals(messages)).size).toBe(messages.length)
      })
    )

    it.effect.skipIf(!isEnabled)("an event of any texts can be told of", () =>
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

const message = (kind: NotificationKind): Message => ({
  kind,
  previous: {},
  account: { name: "Ada & Co.", timeZone: TimeZone.make("Europe/Paris") },
  event: {
    ...Samples.newEvent(AccountId.make(1)),
    id: CalendarEventId.make(1),
    customer: { name: "Zoë", email: "zoe@example.com", phone: "", notes: "" }
  }
})
