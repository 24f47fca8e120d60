import { describe, expect, it } from "@effect/vitest"
import { SessionId } from "@frontdesk/core/access/Person"
import { SessionStore } from "@frontdesk/core/access/SessionStore"
import { CurrentSessionSettings, defaultSettings } from "@frontdesk/core/people/SessionSettings"
import { SessionRetentionWorker } from "@frontdesk/core/worker/SessionRetentionWorker"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { makeAccount, services, tagOf } from "./services.ts"

const almost = (duration: Duration.Duration) => Duration.subtract(duration, Duration.millis(1))

/** Signs a guest in. */
const enterGuest = Effect.gen(function* () {
  const made = yield* makeAccount
  const { token } = yield* made.program(made.links.create({ role: "viewer" }))
  return { ...made, ...(yield* made.links.use(token, null)) }
})

describe("Sessions", () => {
  it.effect("a session that no request uses ends after 12 hours, to the millisecond (D-MEM-6)", () =>
    Effect.gen(function* () {
      const { sessions, token } = yield* enterGuest
      yield* TestClock.adjust(almost(defaultSettings.idle))
      yield* sessions.authenticate(token)
      // The use was written, so the session goes on from now.
      yield* TestClock.adjust(almost(defaultSettings.idle))
      yield* sessions.authenticate(token)
      yield* TestClock.adjust(defaultSettings.idle)
      expect(yield* tagOf(sessions.authenticate(token))).toBe("InvalidSession")
    }).pipe(Effect.provide(services))
  )

  it.effect("a session ends after 7 days however it is used (D-MEM-6)", () =>
    Effect.gen(function* () {
      const { session, sessions, token } = yield* enterGuest
      for (let hour = 0; hour < 7 * 24 - 6; hour += 6) {
        yield* sessions.authenticate(token)
        yield* TestClock.adjust(Duration.hours(6))
      }
      yield* sessions.authenticate(token)
      yield* TestClock.adjust(almost(Duration.hours(6)))
      yield* sessions.authenticate(token)
      yield* TestClock.adjust(Duration.millis(1))
      expect(yield* tagOf(sessions.authenticate(token))).toBe("InvalidSession")
      expect(yield* DateTime.now).toEqual(session.endsAt)
    }).pipe(Effect.provide(services))
  )

  it.effect("the last use is written at most once a minute", () =>
    Effect.gen(function* () {
      const { account, session, sessions, token } = yield* enterGuest
      const store = yield* SessionStore
      const lastUse = Effect.map(store.find(account.id, session.id), (found) => Option.getOrThrow(found).lastUsedAt)
      yield* TestClock.adjust(Duration.seconds(59))
      yield* sessions.authenticate(token)
      expect(yield* lastUse).toEqual(session.createdAt)
      yield* TestClock.adjust(Duration.seconds(1))
      yield* sessions.authenticate(token)
      expect(yield* lastUse).toEqual(DateTime.add(session.createdAt, { minutes: 1 }))
    }).pipe(Effect.provide(services))
  )

  it.effect("a text that is not a token is InvalidSession or ValidationError, and never a defect", () =>
    Effect.gen(function* () {
      const { sessions } = yield* makeAccount
      for (const text of ["", "x", "\0", "a".repeat(43)])
        expect(yield* tagOf(sessions.authenticate(Redacted.make(text)))).toBe("InvalidSession")
      expect(yield* tagOf(sessions.authenticate(Redacted.make("a".repeat(300))))).toBe("ValidationError")
    }).pipe(Effect.provide(services))
  )

  it.effect("a member has at most ten sessions, and an account a maximum without a member: the oldest end", () =>
    Effect.gen(function* () {
      const { add, enter, links, program, sessions } = yield* makeAccount
      const { id } = yield* add("viewer")
      const guest = Effect.gen(function* () {
        return (yield* links.use((yield* program(links.create({ role: "viewer" }))).token, null)).token
      })
      const guests = [yield* guest, yield* guest, yield* guest]
      const tokens = yield* Effect.forEach(Array.from({ length: 3 }), () => enter(id))
      const alive = (token: Redacted.Redacted<string>) =>
        Effect.match(sessions.authenticate(token), { onFailure: () => false, onSuccess: () => true })
      expect(yield* Effect.forEach(tokens, alive)).toEqual([false, true, true])
      expect(yield* Effect.forEach(guests, alive)).toEqual([false, true, true])
      expect((yield* program(sessions.list({ memberId: id }))).count).toBe(2)
      expect((yield* program(sessions.list())).count).toBe(4)
    }).pipe(
      Effect.provide(
        Layer.provide(
          services,
          Layer.succeed(CurrentSessionSettings, { ...defaultSettings, maxOfMember: 2, maxWithoutMember: 2 })
        )
      )
    )
  )

  it.effect("a session of another account can be neither listed nor ended", () =>
    Effect.gen(function* () {
      const guest = yield* enterGuest
      const { program, sessions } = yield* makeAccount
      for (const id of [guest.session.id, SessionId.make(Number.MAX_SAFE_INTEGER)])
        expect(yield* tagOf(program(sessions.delete(id)))).toBe("SessionNotFound")
      expect(yield* program(sessions.deleteAll())).toBe(0)
      expect((yield* program(sessions.list())).items).toEqual([])
      yield* guest.sessions.authenticate(guest.token)
    }).pipe(Effect.provide(services))
  )

  it.effect("SessionRetentionWorker deletes expired sessions and links, and no others (D-MEM-8)", () =>
    Effect.gen(function* () {
      const { links, program, session, sessions } = yield* enterGuest
      yield* program(links.create({ role: "viewer" }))
      yield* TestClock.adjust(defaultSettings.idle)
      const open = yield* program(links.create({ role: "viewer" }))
      const worker = yield* SessionRetentionWorker
      const sweeping = yield* Effect.forkChild(worker.sweep)
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(sweeping)).toBe(2)
      expect(yield* program(links.list)).toEqual([open.link])
      expect(Option.isNone(yield* (yield* SessionStore).find(session.accountId, session.id))).toBe(true)
      expect((yield* program(sessions.list())).count).toBe(0)
    }).pipe(Effect.provide(Layer.provideMerge(SessionRetentionWorker.layer, services)))
  )
})
