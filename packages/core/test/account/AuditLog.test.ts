import { describe, expect, it } from "@effect/vitest"
import { Principal } from "@frontdesk/core/access/Principal"
import { AuditLog } from "@frontdesk/core/account/AuditLog"
import { type AuditQuery, cursorOf, placeOf } from "@frontdesk/core/account/AuditLogInput"
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { AuditEntryId } from "@frontdesk/core/audit/AuditEntry"
import { AuditStore } from "@frontdesk/core/audit/AuditStore"
import * as CalendarDate from "@frontdesk/core/values/CalendarDate"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { newEntry } from "@frontdesk/testing/suite/AuditEntries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"

const services = Layer.mergeAll(Accounts.layer, AuditLog.layer).pipe(
  Layer.provideMerge(Layer.fresh(MemoryStorage.layer))
)

const date = (text: string) => CalendarDate.CalendarDate.make(text)

/** Makes an account in Tokyo with an entry at each minute. Returns a function that reads its log. */
const makeReader = (...minutes: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const settings = { ...defaultSettings, timeZone: TimeZone.make("Asia/Tokyo") }
    const { id } = yield* Samples.makeAccount({ settings })
    const store = yield* AuditStore
    for (const minute of minutes)
      yield* store.append(newEntry(id, minute, { entity: { type: "contact", id: `${minute}` } }))
    const principal = yield* (yield* Accounts).principal(id)
    const log = yield* AuditLog
    return (query?: AuditQuery) =>
      Effect.map(Effect.provideService(log.read(query), Principal, principal), ({ entries, next }) => ({
        next,
        ids: entries.map(({ entity }) => entity.id)
      }))
  })

describe("AuditLog", () => {
  it.effect("read returns the entries of the caller's account, newest first, page by page (D-AUD-1)", () =>
    Effect.gen(function* () {
      const read = yield* makeReader(1, 2, 3, 4, 5)
      const other = yield* makeReader(6)
      expect(yield* read()).toEqual({ ids: ["5", "4", "3", "2", "1"], next: null })
      expect((yield* other()).ids).toEqual(["6"])
      const first = yield* read({ limit: 2 })
      expect(first).toMatchObject({ ids: ["5", "4"] })
      const second = yield* read({ limit: 2, cursor: first.next ?? "" })
      expect(second).toMatchObject({ ids: ["3", "2"] })
      expect(yield* read({ limit: 2, cursor: second.next ?? "" })).toEqual({ ids: ["1"], next: null })
    }).pipe(Effect.provide(services))
  )

  it.effect("the dates of a query are days in the time zone of the account", () =>
    Effect.gen(function* () {
      // Samples are made at 18:00 in Tokyo.
      const read = yield* makeReader(0, 6 * 60 - 1, 6 * 60)
      const [startDate, endDate] = [date("2026-03-03"), date("2026-03-02")]
      expect((yield* read({ endDate })).ids).toEqual(["359", "0"])
      expect((yield* read({ startDate })).ids).toEqual(["360"])
      expect(yield* Effect.flip(read({ startDate, endDate }))).toMatchObject({ parameter: "end_date" })
    }).pipe(Effect.provide(services))
  )

  it.effect("read needs the type of an actor and of a record whose id it filters by", () =>
    Effect.gen(function* () {
      const read = yield* makeReader(1)
      expect(yield* Effect.flip(read({ actorId: "1" }))).toMatchObject({ parameter: "actor_type" })
      expect(yield* Effect.flip(read({ entityId: "1" }))).toMatchObject({ parameter: "entity_type" })
      expect((yield* read({ entityType: "contact", entityId: "1", actorType: "api_key", actorId: "1" })).ids).toEqual([
        "1"
      ])
      expect((yield* read({ entityType: "agent", entityId: "1" })).ids).toEqual([])
    }).pipe(Effect.provide(services))
  )

  it.effect("read refuses a limit and a cursor that are not valid", () =>
    Effect.gen(function* () {
      const read = yield* makeReader(1)
      for (const query of [{ limit: 0 }, { limit: 501 }, { cursor: "1" }, { cursor: "01-1" }, { cursor: "1-0" }]) {
        expect(yield* Effect.flip(read(query))).toMatchObject({ _tag: "ValidationError" })
      }
    }).pipe(Effect.provide(services))
  )

  it("law: a cursor stands for the place from which it was made, and every valid cursor is a place", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 253_402_300_799_999 }),
        fc.integer({ min: 1, max: 2 ** 53 - 1 }),
        (at, id) => {
          const place = { at: DateTime.makeUnsafe(at), id: AuditEntryId.make(id) }
          expect(placeOf(cursorOf(place))).toEqual(place)
        }
      )
    )
    expect(placeOf("999999999999999-9999999999999999")).toEqual({
      at: DateTime.makeUnsafe("9999-12-31T23:59:59.999Z"),
      id: Number.MAX_SAFE_INTEGER
    })
  })
})
