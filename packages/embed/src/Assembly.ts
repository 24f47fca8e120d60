import { SimulatedCallProvider } from "@frontdesk/call-provider"
import { AccessChanges } from "@frontdesk/core/access/AccessChanges"
import * as Core from "@frontdesk/core/Core"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { CurrentDeliverySettings, DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import { names as workerNames, Workers } from "@frontdesk/core/worker/Workers"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { UndiciWebhookSender } from "@frontdesk/webhook-sender"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as HostLogging from "./HostLogging.ts"
import { type Database, databaseOf, type Options } from "./Options.ts"

// Only the package of the database in use is loaded.
const sqlite = (filename: string) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("@frontdesk/storage-sqlite")),
      ({ SqliteStorage }) => SqliteStorage.layer({ filename })
    )
  )

/** Returns the URL with the schema as its search path. Temporary tables come last. */
const withSearchPath = (url: string, schema: string): string => {
  const changed = new URL(url)
  const options = changed.searchParams.get("options") ?? ""
  changed.searchParams.set("options", `${options} -c search_path=${schema},pg_temp`.trim())
  return changed.href
}

const postgres = (database: Database) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("@frontdesk/storage-postgres")),
      ({ PostgresClock, PostgresSchema, PostgresSignals, PostgresStorage }) => {
        const { schema } = database
        if ("pool" in database) {
          return Layer.provideMerge(PostgresClock.layer, PostgresStorage.fromPool(database.pool, { schema }))
        }
        const { maxConnections, url } = database
        const config = { maxConnections, url: Redacted.make(withSearchPath(url, schema)) }
        const createSchema = PostgresSchema.create(schema).pipe(
          Effect.provide(PostgresStorage.layerMigrator({ url: Redacted.make(url), maxConnections: 1 }))
        )
        return Layer.provideMerge(
          Layer.mergeAll(PostgresSignals.layer(), PostgresClock.layer),
          PostgresStorage.layer(config)
        ).pipe(Layer.provide(Layer.effectDiscard(createSchema)))
      }
    )
  )

const storage = (options: Options["storage"]) => {
  if (options.sqlite !== undefined) return sqlite(options.sqlite)
  const database = databaseOf(options)
  return database === undefined ? MemoryStorage.layer : postgres(database)
}

const workersOf = (workers: Options["workers"]) => {
  if (workers === undefined || workers === true) return workerNames
  return workers === false ? [] : workers
}

const deliverySettings = ({ webhooks: { headerPrefix, retryDelays, timeout } = {} }: Options) =>
  Layer.succeed(
    CurrentDeliverySettings,
    new DeliverySettings({
      ...(headerPrefix !== undefined && { headerPrefix }),
      ...(retryDelays !== undefined && { retryDelays }),
      ...(timeout !== undefined && { timeout })
    })
  )

/** The pace of simulated calls when the options name none: a call of 30 seconds takes 3. */
const defaultPace = 10

/** Provides the services, with an adapter for each port. The workers run only when `Workers.run` does. */
export const layer = (options: Options) =>
  Workers.layerIdle({ only: workersOf(options.workers) }).pipe(
    Layer.provideMerge(Core.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        AccessChanges.layer,
        Crypto.layerWebCrypto,
        SimulatedCallProvider.layer({ pace: options.callProvider?.simulated.pace ?? defaultPace }),
        UndiciWebhookSender.layer({ allowInsecure: options.webhooks?.allowInsecure }),
        Mailer.layerNone,
        CalendarSync.layerNone
      )
    ),
    Layer.provideMerge(storage(options.storage)),
    Layer.provide(deliverySettings(options)),
    Layer.provideMerge(HostLogging.layer(options.logger))
  )

/** The services that {@link layer} provides. */
export type Services = Layer.Success<ReturnType<typeof layer>>
