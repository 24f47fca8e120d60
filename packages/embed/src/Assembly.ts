import { Languages } from "@frontdesk/agent-tools"
import * as CalendarProviders from "@frontdesk/calendar-sync/CalendarProviders"
import { AccessChanges } from "@frontdesk/core/access/AccessChanges"
import * as Core from "@frontdesk/core/Core"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { CurrentCalendarAuthorizationSite } from "@frontdesk/core/external-calendar/CalendarAuthorizationSite"
import { CurrentDashboardSite } from "@frontdesk/core/people/DashboardSite"
import { CurrentDeliverySettings, DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import * as SecretBox from "@frontdesk/core/crypto/SecretBox"
import { StoredSecrets } from "@frontdesk/core/secret/StoredSecrets"
import * as LazyLayer from "@frontdesk/core/values/LazyLayer"
import { names as workerNames, Workers } from "@frontdesk/core/worker/Workers"
import * as AuthorizationSite from "@frontdesk/http/provider/AuthorizationSite"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { UndiciWebhookSender } from "@frontdesk/webhook-sender"
import * as Aead from "effect/crypto/Aead"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as HostLogging from "./HostLogging.ts"
import { type Database, databaseOf, type Options } from "./Options.ts"
import { keyringOf } from "./ProviderOptions.ts"
import * as Providers from "./Providers.ts"

// Only the package of the database in use is loaded.
const sqlite = (filename: string) =>
  LazyLayer.make(
    () => import("@frontdesk/storage-sqlite"),
    ({ SqliteStorage }) => SqliteStorage.layer({ filename })
  )

/** Returns the URL with the schema as its search path. Temporary tables come last. */
const withSearchPath = (url: string, schema: string): string => {
  const changed = new URL(url)
  const options = changed.searchParams.get("options") ?? ""
  changed.searchParams.set("options", `${options} -c search_path=${schema},pg_temp`.trim())
  return changed.href
}

const postgres = (database: Database) =>
  LazyLayer.make(
    () => import("@frontdesk/storage-postgres"),
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

/** Provides the sealing of secrets with the keys of the options. */
const secrets = ({ secretKeys }: Options) =>
  SecretBox.layer(keyringOf(secretKeys)).pipe(
    Layer.provide([Crypto.layerWebCrypto, Aead.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto))])
  )

/** Provides where a mount receives the browser of a person who grants access to a calendar. */
const authorizationSite = ({ calendars = {}, callProvider }: Options) => {
  const publicUrl =
    calendars.publicUrl === undefined ? Providers.publicUrlOf(callProvider) : new URL(calendars.publicUrl)
  return Layer.succeed(
    CurrentCalendarAuthorizationSite,
    publicUrl === undefined ? null : AuthorizationSite.at(publicUrl, calendars.returnOrigins ?? [])
  )
}

/** Provides where people use the dashboard. */
const dashboardSite = ({ dashboardUrl }: Options) =>
  Layer.succeed(CurrentDashboardSite, dashboardUrl === undefined ? null : { url: dashboardUrl, isPublic: true })

/** Provides the services, with an adapter for each port. The workers run only when `Workers.run` does. */
export const layer = (options: Options) =>
  Workers.layerIdle({ only: workersOf(options.workers) }).pipe(
    Layer.provideMerge(Core.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        AccessChanges.layer,
        Providers.callProvider(options.callProvider),
        UndiciWebhookSender.layer({ allowInsecure: options.webhooks?.allowInsecure }),
        Providers.mailer(options.mail),
        Layer.provide(CalendarProviders.layer(options.calendars ?? {}), Providers.caldav(options.calendars)),
        Layer.provide(StoredSecrets.layerCheck, StoredSecrets.layer)
      )
    ),
    Layer.provideMerge(Layer.merge(Crypto.layerWebCrypto, storage(options.storage))),
    Layer.provide(secrets(options)),
    Layer.provideMerge(authorizationSite(options)),
    Layer.provideMerge(dashboardSite(options)),
    // The OpenAPI document names the prefix of the headers.
    Layer.provideMerge(deliverySettings(options)),
    Layer.provideMerge(Layer.succeed(Languages.Languages, options.languages ?? [])),
    Layer.provideMerge(HostLogging.layer(options.logger))
  )

/** The services that {@link layer} provides. */
export type Services = Layer.Success<ReturnType<typeof layer>>
