import { expect, it } from "@effect/vitest"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import type { FundsChange } from "@frontdesk/core/access/FundMovement"
import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import { AuditStore } from "@frontdesk/core/audit/AuditStore"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import * as Core from "@frontdesk/core/Core"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { CalendarConnector } from "@frontdesk/core/external-calendar/CalendarConnector"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Money from "@frontdesk/core/values/Money"
import * as Page from "@frontdesk/core/values/Page"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"
import * as Proxy from "@frontdesk/test-postgres/Proxy"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { FakeCallProvider } from "@frontdesk/testing/fake/FakeCallProvider"
import { FakeMailer } from "@frontdesk/testing/fake/FakeMailer"
import { FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import { allEntriesOf, newEntry } from "@frontdesk/testing/suite/AuditEntries"
import { movementsOf } from "@frontdesk/testing/suite/Movements"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

/** The services of the core on one connection. */
const services = (url: string) =>
  Core.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        PostgresStorage.layer({ url: Redacted.make(url), maxConnections: 1 }),
        Crypto.layerWebCrypto,
        FakeCallProvider.layer,
        FakeWebhookSender.layer,
        FakeMailer.layer,
        CalendarSync.layerNone,
        CalendarConnector.layerNone
      )
    )
  )

/**
 * Runs a test on a database behind a proxy. The function returns how many round trips the database has had since its last
 * call.
 */
const withProxy = <A, E>(
  test: (roundTrips: () => number) => Effect.Effect<A, E, Layer.Success<ReturnType<typeof services>>>
) =>
  Effect.gen(function* () {
    const url = yield* TestDatabase.withTables
    const proxy = yield* Effect.acquireRelease(
      Effect.promise(() => Proxy.open(url)),
      (open) => Effect.promise(() => open[Symbol.asyncDispose]())
    )
    yield* Effect.provide(
      test(() => proxy.roundTrips()),
      services(proxy.through(url))
    )
  })

/** Returns how many round trips an effect takes when it runs for the second time. The first one prepares the statements. */
const roundTripsOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>, roundTrips: () => number) {
  yield* effect
  roundTrips()
  yield* effect
  return roundTrips()
})

it.live("a new calendar event and its delivery take two round trips to the database (D-PG-34)", () =>
  withProxy((roundTrips) =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const account = yield* Samples.makeAccount()
      const webhook = yield* Samples.makeWebhook(account.id, { subscribedEvents: ["calendar.created"] })
      const create = events
        .create({ title: "Visit", startTime: "2099-03-02T10:00:00Z", endTime: "2099-03-02T10:30:00Z" })
        .pipe(Effect.provideService(Principal, { account, apiKeyId: null, permissions: new Set(Permission.all) }))
      // They prepare the statements, and take blocks of 1, 2 and 4 ids. The next event has one of the last block.
      yield* Effect.replicateEffect(create, 4)
      roundTrips()
      yield* create
      expect(roundTrips()).toBe(2)
      const { count } = yield* (yield* DeliveryStore).list(account.id, webhook.id, Option.none(), Page.onlyCount)
      expect(count).toBe(5)
    })
  )
)

it.live("the movement of a change of funds takes no round trip of its own in a transaction (D-BILL-15)", () =>
  withProxy((roundTrips) =>
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const { run } = yield* Transaction
      const { id } = yield* Samples.makeAccount()
      const change = (funds: FundsChange) =>
        run(Effect.andThen(accounts.changeFunds(id, funds, Samples.cause), accounts.funds(id)))
      const withoutMovement = yield* roundTripsOf(change({}), roundTrips)
      expect(yield* roundTripsOf(change({ deposits: Money.Money.make(5) }), roundTrips)).toBe(withoutMovement)
      expect(yield* movementsOf(id)).toHaveLength(2)
    })
  )
)

it.live("an entry of the audit log takes no round trip of its own in a transaction (D-AUD-1)", () =>
  withProxy((roundTrips) =>
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const audit = yield* AuditStore
      const { run } = yield* Transaction
      const { id } = yield* Samples.makeAccount()
      const withoutEntry = yield* roundTripsOf(run(accounts.funds(id)), roundTrips)
      const withEntry = run(Effect.andThen(audit.append(newEntry(id, 0)), accounts.funds(id)))
      expect(yield* roundTripsOf(withEntry, roundTrips)).toBe(withoutEntry)
      expect(yield* allEntriesOf(id)).toHaveLength(2)
    })
  )
)
