import * as CalendarProviders from "@frontdesk/calendar-sync/CalendarProviders"
import { AccountLimits } from "@frontdesk/core/access/AccountLimits"
import { MaxCachedKeys } from "@frontdesk/core/access/AccessCache"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import { CurrentCallRetention } from "@frontdesk/core/worker/CallRetentionWorker"
import { CurrentImportRetention } from "@frontdesk/core/worker/ContactImportWorker"
import { CurrentAuditRetention } from "@frontdesk/core/worker/AuditRetentionWorker"
import { CurrentMovementRetention } from "@frontdesk/core/worker/FundRetentionWorker"
import * as Core from "@frontdesk/core/Core"
import { BasePath } from "@frontdesk/core/values/BasePath"
import { CurrentCalendarAuthorizationSite } from "@frontdesk/core/external-calendar/CalendarAuthorizationSite"
import { CurrentDashboardSite } from "@frontdesk/core/people/DashboardSite"
import { CurrentInstallation } from "@frontdesk/core/operator/Installation"
import { CurrentDeliverySettings, DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { names as workerNames, Workers } from "@frontdesk/core/worker/Workers"
import * as AuthorizationSite from "@frontdesk/http/provider/AuthorizationSite"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import { UndiciWebhookSender } from "@frontdesk/webhook-sender"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import * as LazyLayer from "@frontdesk/core/values/LazyLayer"
import * as DashboardUrl from "./DashboardUrl.ts"
import * as NodeName from "./NodeName.ts"
import * as NodeCrypto from "./NodeCrypto.ts"
import * as Providers from "./Providers.ts"
import * as Secrets from "./Secrets.ts"
import { caldavClient } from "./settings/CalendarSettings.ts"
import type { Settings } from "./settings/Settings.ts"
import * as Storage from "./Storage.ts"
import { version } from "./Version.ts"

/** Returns the part of the settings that the delivery worker reads. */
const deliverySettings = (settings: Settings): DeliverySettings =>
  new DeliverySettings({
    retryDelays: settings.webhookRetryDelays,
    timeout: settings.webhookTimeout,
    lease: settings.webhookLease,
    headerPrefix: settings.webhookHeaderPrefix,
    retention: settings.webhookRetention,
    owner: NodeName.make(settings)
  })

/**
 * Returns the rate limiter that the settings choose; without a limit it allows every request. It counts in PostgreSQL,
 * because several servers may share that database, and in memory with SQLite.
 */
const rateLimiter = ({ databaseUrl, rateLimit }: Settings): Layer.Layer<RateLimiter, never, SqlClient> => {
  if (rateLimit === null) return RateLimiter.layerUnlimited
  return databaseUrl._tag === "Postgres"
    ? LazyLayer.make(
        () => import("@frontdesk/storage-postgres/PostgresRateLimiter"),
        (limiter) => limiter.layer(rateLimit)
      )
    : RateLimiter.layerTokenBucket(rateLimit)
}

/** Returns an adapter for each port, chosen by the settings. */
const adapters = (settings: Settings) =>
  Layer.mergeAll(
    rateLimiter(settings),
    NodeCrypto.layer,
    Providers.callProvider(settings.callProvider),
    UndiciWebhookSender.layer({
      allowInsecure: settings.webhookAllowInsecure,
      privilegedPorts: settings.webhookPrivilegedPorts
    }),
    Providers.mailer(settings.mail),
    Layer.provide(CalendarProviders.layer(settings.calendars), caldavClient(settings.calendars))
  ).pipe(Layer.provideMerge(Storage.layerServer(settings.databaseUrl)))

/** The layer with an adapter for every port. */
export type Adapters = ReturnType<typeof adapters>

/**
 * Wraps the adapters of a server. A program provides it to add adapters of its own, or to replace methods of the given
 * ones. The default returns the adapters unchanged.
 */
export const Around = Context.Reference<(adapters: Adapters) => Adapters>("frontdesk/Assembly/Around", {
  defaultValue: () => (adapters) => adapters
})

/** Provides the path of the public URL, which precedes every link that the server returns. */
const basePath = ({ publicUrl }: Settings): Layer.Layer<never> =>
  Layer.succeed(BasePath, publicUrl === null ? "" : new URL(publicUrl).pathname.replace(/\/$/, ""))

/** Provides where the server receives the browser of a person who grants access to a calendar. */
const authorizationSite = ({ corsOrigins, publicUrl }: Settings): Layer.Layer<never> =>
  Layer.succeed(
    CurrentCalendarAuthorizationSite,
    publicUrl === null ? null : AuthorizationSite.at(new URL(publicUrl), corsOrigins)
  )

/** Provides what the server states of itself to the operator. */
const installation = (settings: Settings): Layer.Layer<never, never, Workers> =>
  Layer.effect(
    CurrentInstallation,
    Effect.map(Workers, ({ states }) => ({
      version,
      runtime: `Node.js ${process.versions.node}`,
      database: { Postgres: "PostgreSQL", File: "SQLite", Memory: "SQLite in memory" }[settings.databaseUrl._tag],
      schema: SqlMigrations.newest,
      node: NodeName.shown(settings),
      workers: Effect.map(states, (all) => [...all].map(([name, state]) => ({ name, ...state })))
    }))
  )

/**
 * Provides everything behind the HTTP API: the domain, its workers, and an adapter for each port, all chosen by the
 * settings. The workers do not run until `Workers.run`. Fails when the database cannot be opened, migrated or listened
 * to, and when it has secrets that the given keys cannot open.
 */
export const layer = (settings: Settings) =>
  installation(settings).pipe(
    Layer.provideMerge(Workers.layerIdle({ only: settings.workers === "none" ? [] : workerNames })),
    Layer.provideMerge(Core.layer),
    Layer.provideMerge(Secrets.layerCheck(settings.secretKeys)),
    Layer.provideMerge(Layer.unwrap(Effect.map(Around, (around) => around(adapters(settings))))),
    Layer.provide(Secrets.layer(settings.secretKeys)),
    Layer.provide(
      Layer.succeed(CurrentCallRetention, { calls: settings.callRetention, transcripts: settings.transcriptRetention })
    ),
    Layer.provide(Layer.succeed(CurrentMovementRetention, settings.movementRetention)),
    Layer.provide(Layer.succeed(CurrentImportRetention, settings.importRetention)),
    Layer.provide(Layer.succeed(CurrentAuditRetention, settings.auditRetention)),
    Layer.provide(Layer.succeed(AccountLimits, settings.accountLimits)),
    Layer.provide(Layer.succeed(MaxCachedKeys, settings.maxCachedKeys)),
    // The OpenAPI document names the prefix of the headers.
    Layer.provideMerge(Layer.succeed(CurrentDeliverySettings, deliverySettings(settings))),
    Layer.provideMerge(basePath(settings)),
    Layer.provideMerge(authorizationSite(settings)),
    Layer.provideMerge(Layer.succeed(CurrentDashboardSite, DashboardUrl.siteOf(settings)))
  )
