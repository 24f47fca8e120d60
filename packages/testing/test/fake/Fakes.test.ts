import { CalendarSync, CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { AccountId } from "@frontdesk/core/access/Account"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Mailer, MailerError } from "@frontdesk/core/mail/Mailer"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FakeCalendarSync from "@frontdesk/testing/fake/FakeCalendarSync"
import * as FakeCrypto from "@frontdesk/testing/fake/FakeCrypto"
import { FakeMailer } from "@frontdesk/testing/fake/FakeMailer"
import * as Samples from "@frontdesk/testing/suite/Samples"

const account = AccountId.make(1)
const sender = { name: "Ada", timeZone: TimeZone.make("UTC") }
const event = { ...Samples.newCalendarEvent(account), id: CalendarEventId.make(1) }

it.effect("FakeMailer stores sent messages, and fails as answerWith sets", () =>
  Effect.gen(function* () {
    const [mailer, fake] = [yield* Mailer, yield* FakeMailer]
    yield* mailer.send({ kind: "created", event, previous: {}, account: sender })
    yield* fake.answerWith(() => Effect.fail(new MailerError({ reason: "transport", cause: "no route" })))
    expect(
      (yield* mailer.send({ kind: "updated", event, previous: {}, account: sender }).pipe(Effect.flip)).isRetryable
    ).toBe(true)
    expect(yield* fake.sent).toEqual([{ kind: "created", event, previous: {}, account: sender }])
  }).pipe(Effect.provide(FakeMailer.layer))
)

it.effect(
  "FakeCalendarSync returns the connected providers, gives repeated writes the same id, and stores no write that fails",
  () =>
    Effect.gen(function* () {
      const [sync, fake] = [yield* CalendarSync, yield* FakeCalendarSync.FakeCalendarSync]
      expect(yield* sync.connected(account)).toEqual([])
      yield* fake.connect(account, ["google"])
      expect(yield* sync.connected(account)).toMatchObject([{ provider: "google" }])
      expect(yield* sync.write("google", event)).toEqual(yield* sync.write("google", event))
      const gone = new CalendarSyncError({ reason: "gone", cause: "404" })
      yield* fake.answerWith(() => Effect.fail(gone))
      expect(yield* sync.write("google", event).pipe(Effect.flip)).toBe(gone)
      expect(yield* fake.written).toHaveLength(2)
    }).pipe(Effect.provide(FakeCalendarSync.FakeCalendarSync.layer))
)

it.effect(
  "FakeCrypto returns predictable bytes and ids, sorts UUIDs of version 7 by their creation, and makes real digests",
  () =>
    Effect.gen(function* () {
      const crypto = yield* Crypto
      expect([...(yield* crypto.randomBytes(3)), ...(yield* crypto.randomBytes(2))]).toEqual([0, 1, 2, 3, 4])
      expect(yield* crypto.uuid).toBe("00000000-0000-4000-8000-000000000001")
      const ids = yield* Effect.forEach(Array.from({ length: 300 }), () => crypto.uuidV7)
      expect(ids.toSorted()).toEqual(ids)
      expect(new Set(ids).size).toBe(300)
      const digest = yield* crypto.sha256(new TextEncoder().encode("abc"))
      expect(Buffer.from(digest).toString("hex").slice(0, 8)).toBe("ba7816bf")
    }).pipe(Effect.provide(FakeCrypto.layer))
)
