import { PgClient } from "@effect/sql-pg/PgClient"
import { CalendarConnector } from "@frontdesk/core/external-calendar/CalendarConnector"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { Accounts } from "@frontdesk/core/account/Accounts"
import * as Core from "@frontdesk/core/Core"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { OutboxSignal } from "@frontdesk/core/outbox/Outbox"
import { ReminderSignal } from "@frontdesk/core/reminder/ReminderSignal"
import { CurrentDeliverySettings, DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { DeliverySignal } from "@frontdesk/core/delivery/DeliverySignal"
import { Workers } from "@frontdesk/core/worker/Workers"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { FakeCallProvider } from "@frontdesk/testing/fake/FakeCallProvider"
import { FakeMailer } from "@frontdesk/testing/fake/FakeMailer"
import { FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as Context from "effect/Context"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as PostgresSignals from "@frontdesk/storage-postgres/PostgresSignals"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

const layer = (url: string, settings: DeliverySettings) =>
  Workers.layerServices.pipe(
    Layer.provideMerge(Core.layer),
    Layer.provideMerge(Layer.mergeAll(DeliverySignal.layer, ReminderSignal.layer, OutboxSignal.layer)),
    Layer.provideMerge(PostgresSignals.layer()),
    Layer.provideMerge(
      Layer.mergeAll(
        PostgresStorage.layer({ url: Redacted.make(url), maxConnections: 5 }),
        Crypto.layerWebCrypto,
        FakeCallProvider.layer,
        FakeWebhookSender.layer,
        FakeMailer.layer,
        CalendarSync.layerNone,
        CalendarConnector.layerNone
      )
    ),
    Layer.provide(Layer.succeed(CurrentDeliverySettings, settings))
  )

/** The services of a node: those of the core, its stores, its client, and fakes of external services. */
export type Services = Layer.Success<ReturnType<typeof layer>>

/** A node: a storage with its own pool, and all services on it. */
export type Node = Context.Context<Services>

/** Builds nodes on one database, with the owners `node 1`, `node 2` and so on. */
export const make = (
  count: number,
  settings: ConstructorParameters<typeof DeliverySettings>[0] = {}
): Effect.Effect<ReadonlyArray<Node>, unknown, Scope.Scope> =>
  Effect.flatMap(TestDatabase.withTables, (url) => makeOn(url, count, settings))

/** Like {@link make}, on the database with this URL. */
export const makeOn = (
  url: string,
  count: number,
  settings: ConstructorParameters<typeof DeliverySettings>[0] = {}
): Effect.Effect<ReadonlyArray<Node>, unknown, Scope.Scope> =>
  Effect.forEach(Array.from({ length: count }), (_, index) =>
    Layer.build(layer(url, new DeliverySettings({ owner: `node ${index + 1}`, ...settings })))
  )

/** Runs a statement on the database of a node, and returns its rows. */
export const query = (node: Node, text: string, params: ReadonlyArray<unknown> = []) =>
  Effect.provide(
    Effect.flatMap(PgClient, (client) => client.unsafe<Record<string, unknown>>(text, params)),
    node
  )

const deadlocks = (node: Node) =>
  Effect.map(
    query(
      node,
      "SELECT deadlocks::int AS count, pg_stat_force_next_flush() FROM pg_stat_database WHERE datname = current_database()"
    ),
    ([row]) => Number(row?.["count"])
  )

/**
 * Returns an effect that returns how many deadlocks the database of a node has had since now. It may have had others before,
 * because tests share databases one after the other.
 */
const deadlocksSinceNow = (node: Node) =>
  Effect.map(deadlocks(node), (before) => Effect.map(deadlocks(node), (count) => count - before))

/** Builds two nodes on one database with an account. `deadlocks` returns how many deadlocks the database has had since then. */
export const setUp = Effect.gen(function* () {
  const nodes = yield* make(2)
  const [first] = nodes
  if (first === undefined) return yield* Effect.die("no nodes")
  const deadlocks = yield* deadlocksSinceNow(first)
  const account = yield* Effect.provide(Samples.makeAccount(), first)
  const caller = yield* Context.get(first, Accounts).principal(account.id)
  return { nodes, first, account, caller, deadlocks }
})
