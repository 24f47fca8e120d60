import { TeamId } from "@frontdesk/core/access/Team"
import { beforeAll, describe, expect, it } from "@effect/vitest"
import { StatisticStore } from "@frontdesk/core/statistics/StatisticStore"
import type * as SqlCopy from "@frontdesk/storage-sql/copy/SqlCopy"
import { tableNames } from "@frontdesk/storage-sql/copy/CopiedTables"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import { range } from "@frontdesk/testing/suite/StatisticCounts"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import type { DatabaseUrl } from "frontdesk/settings/DatabaseUrl"
import { contents, copy, type Dialect, type Sample, statements, type useSamples } from "./copying.ts"
import * as Databases from "./Databases.ts"
import { readInstallation } from "./sampleInstallation.ts"

/**
 * Defines the tests of copies from one dialect to another.
 *
 * Most tests begin with a database and its copy. They work on duplicates of one such pair, because to duplicate a database
 * costs less than to copy it.
 */
export const copySuite = (from: Dialect, to: Dialect, { inScope, sample }: ReturnType<typeof useSamples>): void => {
  describe(`a copy from ${from} to ${to}`, () => {
    let pair: { readonly source: Sample; readonly target: DatabaseUrl; readonly summary: SqlCopy.Copied }
    beforeAll(async () => {
      const copied = Effect.gen(function* () {
        const source = yield* sample(from)
        const target = yield* Databases.make(to)
        return { source, target, summary: yield* copy(source.url, target) }
      })
      pair = await inScope(Effect.orDie(copied))
    })

    /** Returns duplicates of the database and of its copy, and the result of copying. */
    const copiedPair = Effect.gen(function* () {
      const source = { url: yield* Databases.duplicateOf(pair.source.url), ids: pair.source.ids }
      return { source, target: yield* Databases.duplicateOf(pair.target), summary: pair.summary }
    })

    it.effect("returns the same as the source through every port", () =>
      Effect.gen(function* () {
        const { source, summary, target } = yield* copiedPair
        const { sums, tables } = summary
        expect(tables.map(({ table }) => table)).toEqual(tableNames)
        expect(tables.filter(({ rows }) => rows === 0)).toEqual([])
        expect(sums).toEqual({
          balance: 12_245_678n,
          running_calls: 1n,
          events: 1n,
          pending_reminders: 1n,
          pending_deliveries: 3n
        })
        const read = readInstallation(source.ids)
        expect(yield* Effect.provide(read, Databases.stores(target))).toEqual(
          yield* Effect.provide(read, Databases.stores(source.url))
        )
      })
    )

    it.effect(
      "continues like the source: leases end, ids, row counts and statistics continue, foreign keys hold (D-STO-1)",
      () =>
        Effect.gen(function* () {
          const { source, target } = yield* copiedPair
          const continued = Effect.gen(function* () {
            const lease = { leaseUntil: Samples.later(500) }
            const claimed = [
              yield* Deliveries.claim(1.2, lease),
              yield* Deliveries.claim(1.6, lease),
              yield* Deliveries.claim(31, lease)
            ]
            const contact = yield* Samples.makeContact(source.ids.accountId)
            const event = yield* Samples.makeCalendarEvent(source.ids.accountId)
            const webhook = yield* Samples.makeWebhook(source.ids.accountId)
            yield* Deliveries.add(webhook, "call:9")
            const later = yield* Deliveries.claim(40, lease)
            const sql = yield* SqlClient
            const counts = yield* sql`SELECT kind, account_id, team_id, status, type, sum(total) AS total FROM row_count
            GROUP BY 1, 2, 3, 4, 5 HAVING sum(total) <> 0 ORDER BY kind, account_id, team_id, status, type`
            const withUnknownTeam = yield* Effect.flip(
              Samples.makeContact(source.ids.accountId, { team: { id: TeamId.make(99), name: "" } })
            )
            return {
              claimed: [...claimed, later].map((deliveries) =>
                deliveries.map(({ body, id: _id, leaseId: _lease, secrets, ...rest }) => ({
                  ...rest,
                  body: new TextDecoder().decode(body),
                  secrets: [secrets.current, ...(secrets.previous ? [secrets.previous.secret] : [])].map(Redacted.value)
                }))
              ),
              ids: [contact.id, event.id, webhook.id],
              counts: counts.map((row) => Object.values(row).map(String)),
              // The triggers append the new event once, and what was copied is counted once.
              statistics: yield* (yield* StatisticStore).read(source.ids.accountId, range),
              refused: withUnknownTeam.reason
            }
          })
          const inTarget = yield* Effect.provide(continued, Databases.stores(target))
          const inSource = yield* Effect.provide(continued, Databases.stores(source.url))
          expect(inTarget).toEqual(inSource)
          expect(inTarget.statistics.waiting.map(({ figures }) => figures.bookings)).toContain(2)
          // The claims return the pending delivery, the retried one, the leased one after its lease, and the new one.
          expect(inTarget.claimed.map((deliveries) => deliveries.length)).toEqual([1, 1, 1, 1])
          // The sample has deleted the contact with the next id, which must not be used again.
          expect(inTarget.ids[0]).toBe(source.ids.contactId + 2)
        })
    )

    it.effect("is updated by a second copy: it gets new and changed rows, and loses deleted ones", () =>
      Effect.gen(function* () {
        const { source, summary: first, target } = yield* copiedPair
        expect(yield* copy(source.url, target)).toEqual(first)
        yield* statements(source.url, "DELETE FROM contact_tag WHERE position = 0", "UPDATE account SET name = 'New'")
        yield* Effect.provide(Samples.makeContact(source.ids.accountId), Databases.stores(source.url))
        const second = yield* copy(source.url, target)
        expect(second.checksum).not.toBe(first.checksum)
        const read = readInstallation(source.ids)
        expect(yield* Effect.provide(read, Databases.stores(target))).toEqual(
          yield* Effect.provide(read, Databases.stores(source.url))
        )
      })
    )

    it.effect("is not overwritten by a second copy after a single value in it has changed", () =>
      Effect.gen(function* () {
        const { source, target } = yield* copiedPair
        yield* statements(target, "UPDATE webhook_attempt SET duration_ms = duration_ms + 1 WHERE delivery_id = 1")
        const before = yield* contents(target)
        expect(yield* Effect.flip(copy(source.url, target))).toMatchObject({ reason: "target_changed" })
        expect(yield* contents(target)).toEqual(before)
      })
    )

    it.effect("has the state of the source at its begin, although the source changes meanwhile", () =>
      Effect.gen(function* () {
        const source = yield* sample(from)
        const target = yield* Databases.make(to)
        const before = yield* Effect.provide(readInstallation(source.ids), Databases.stores(source.url))
        const write = Effect.provide(Samples.makeContact(source.ids.accountId), Databases.stores(source.url))
        yield* copy(source.url, target, ({ table }) => (table === "account" ? Effect.orDie(write) : Effect.void))
        expect(yield* Effect.provide(readInstallation(source.ids), Databases.stores(target))).toEqual(before)
      })
    )

    it.effect("is rolled back when a table differs from the source at the end, and succeeds when it is repeated", () =>
      Effect.gen(function* () {
        const source = yield* sample(from)
        const target = yield* Databases.make(to)
        const change = (progress: SqlCopy.Progress, sql: SqlClient) =>
          progress.table === "webhook_attempt" && progress.phase === "copying"
            ? Effect.orDie(sql.unsafe("UPDATE contact_tag SET tag = 'other' WHERE position = 1"))
            : Effect.void
        expect(yield* Effect.flip(copy(source.url, target, change))).toMatchObject({
          _tag: "CopyMismatch",
          subject: "contact_tag"
        })
        // Without the first table, whose row only identifies the installation, the target must be empty.
        expect((yield* contents(target)).slice(1).flat()).toEqual([])
        // The failed copy must not prevent the next one.
        yield* copy(source.url, target)
      })
    )
  })
}
