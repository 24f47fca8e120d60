import { PgClient } from "@effect/sql-pg/PgClient"
import { describe, expect, it } from "@effect/vitest"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { calendarEventStoreSuite } from "@frontdesk/testing/suite/calendarEventStoreSuite"
import { doNotCallStoreSuite } from "@frontdesk/testing/suite/doNotCallStoreSuite"
import { provisioningStoreSuite } from "@frontdesk/testing/suite/provisioningStoreSuite"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"
import { expectOneBooking } from "./Bookings.ts"
import * as Node from "./Node.ts"

/** Creates a database in which advisory locks do nothing, as in other databases that speak PostgreSQL's protocol. */
const withoutAdvisoryLocks = Effect.gen(function* () {
  const url = yield* TestDatabase.make
  const options = { url: Redacted.make(url) }
  yield* Effect.gen(function* () {
    const sql = yield* PgClient
    for (const parameters of ["integer, integer", "bigint"]) {
      yield* sql.unsafe(`CREATE FUNCTION pg_advisory_xact_lock(${parameters}) RETURNS void LANGUAGE sql AS ''`)
    }
    const [row] = yield* sql<{ name: string }>`SELECT current_database() AS name`
    // The search looks in pg_catalog last, so it finds the functions above.
    yield* sql.unsafe(`ALTER DATABASE ${row?.name} SET search_path = public, pg_catalog`)
  }).pipe(Effect.provide(PostgresStorage.layerClient(options), { local: true }))
  return url
})

const storage = Layer.unwrap(
  Effect.map(withoutAdvisoryLocks, (url) => PostgresStorage.layer({ url: Redacted.make(url) }))
)

calendarEventStoreSuite("PostgreSQL without advisory locks", storage)
doNotCallStoreSuite("PostgreSQL without advisory locks", storage)
provisioningStoreSuite("PostgreSQL without advisory locks", storage)

describe("named locks", () => {
  it.live("one of 50 concurrent bookings of a slot succeeds where advisory locks do nothing (D-PG-32)", () =>
    Effect.gen(function* () {
      const nodes = yield* Node.makeOn(yield* withoutAdvisoryLocks, 2)
      const [first] = nodes
      if (first === undefined) return yield* Effect.die("no nodes")
      const account = yield* Effect.provide(Samples.makeAccount(), first)
      const caller = yield* Context.get(first, Accounts).principal(account.id)
      yield* expectOneBooking(nodes, caller)
    }).pipe(Effect.scoped)
  )

  it.live("the locks of phone numbers share rows, of which there are at most 65,536 (D-PG-32)", () =>
    Effect.gen(function* () {
      const [node] = yield* Node.make(1)
      if (node === undefined) return yield* Effect.die("no nodes")
      const account = yield* Effect.provide(Samples.makeAccount(), node)
      const numbers = Array.from({ length: 30 }, (_, index) => PhoneNumber.make(`+${12_025_551_000 + index * 65_536}`))
      yield* Context.get(node, DoNotCallStore).add(account.id, numbers)
      const [row] = yield* Node.query(
        node,
        "SELECT count(*)::int AS count FROM named_lock WHERE name = 'DoNotCallStore'"
      )
      expect(row?.["count"]).toBe(1)
    }).pipe(Effect.scoped)
  )

  it.live("a long list of one account delays no call of another account to other numbers (D-PG-32)", () =>
    Effect.gen(function* () {
      const { account, first, nodes } = yield* Node.setUp
      const [, second = first] = nodes
      const other = yield* Effect.provide(Samples.makeAccount(), first)
      const numbers = Array.from({ length: 1_000 }, (_, index) => PhoneNumber.make(`+1202555${1_000 + index}`))
      const isAdded = yield* Deferred.make<void>()
      const isChecked = yield* Deferred.make<void>()
      const add = Context.get(first, Transaction).run(
        Effect.gen(function* () {
          yield* Context.get(first, DoNotCallStore).add(account.id, numbers)
          yield* Deferred.succeed(isAdded, undefined)
          yield* Deferred.await(isChecked)
        })
      )
      const check = Effect.gen(function* () {
        yield* Deferred.await(isAdded)
        const { isBlocked } = Context.get(second, DoNotCallStore)
        for (let index = 0; index < 100; index++) {
          const number = PhoneNumber.make(`+1303555${2_000 + index}`)
          expect(yield* isBlocked(Samples.scopeOf(other), number)).toBe(false)
        }
        yield* Deferred.succeed(isChecked, undefined)
      })
      yield* Effect.all([add, check], { concurrency: "unbounded" }).pipe(Effect.timeout("10 seconds"))
    }).pipe(Effect.scoped)
  )

  it.live("transactions that put the same phone numbers on lists in any order do not deadlock (D-PG-32)", () =>
    Effect.gen(function* () {
      const { account, deadlocks, first, nodes } = yield* Node.setUp
      const numbers = Array.from({ length: 50 }, (_, index) => PhoneNumber.make(`+120255${50_000 + index * 331}`))
      yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => index),
        (index) => {
          const { add } = Context.get(nodes[index % 2] ?? first, DoNotCallStore)
          return add(account.id, index % 3 === 0 ? numbers : numbers.toReversed())
        },
        { concurrency: "unbounded" }
      )
      expect(yield* deadlocks).toBe(0)
    }).pipe(Effect.scoped)
  )
})
