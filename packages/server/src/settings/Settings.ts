import { leaseMargin } from "@frontdesk/core/delivery/DeliverySettings"
import type { Limits } from "@frontdesk/core/access/AccountLimits"
import * as Arr from "effect/Array"
import * as Config from "effect/Config"
import type * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import type { Keyring } from "@frontdesk/core/crypto/Keyring"
import * as Tracing from "@frontdesk/core/values/Tracing"
import { accountLimits, accountLimitSettings } from "./AccountLimitSettings.ts"
import { single } from "@frontdesk/core/access/Cell"
import * as DatabaseUrl from "./DatabaseUrl.ts"
import { databaseUrl, postgresSettings } from "./DatabaseSettings.ts"
import { settings } from "./SettingDefinitions.ts"
import type { Setting } from "./Setting.ts"
import * as ExternalServices from "./ExternalServices.ts"
import { type Flags, nameOf, type SettingProblem, SettingsError, sources, toConfig, wrong } from "./SettingReader.ts"

export { type Flags, SettingsError } from "./SettingReader.ts"
export { loadCalendars } from "./ExternalServices.ts"

const configs = Struct.map(settings, toConfig)

const everything = Config.all(configs)

type Everything = Config.Success<typeof everything>

/**
 * The decoded settings of the server. `databaseUrl` includes the PostgreSQL settings, and `secretKeys` has the keys from
 * either the variable or the file.
 */
export type Settings = Omit<
  Everything,
  | "secretKeysFile"
  | keyof typeof postgresSettings
  | keyof typeof accountLimitSettings
  | (typeof ExternalServices.names)[number]
> &
  ExternalServices.ExternalServices & { readonly accountLimits: Limits }

/**
 * Reads all settings. A flag has priority over its variable. Fails with SettingsError, which lists every problem at once,
 * when a setting is invalid, missing, or contradicts another one.
 */
export const load: (flags: Flags) => Effect.Effect<Settings, SettingsError> = Tracing.operation("Settings.load")(
  function* (flags) {
    const all = Object.values(settings)
    const source = yield* sources(all, flags)
    const problems = [
      ...(yield* wrong(all, flags, source)),
      ...(yield* leaseProblems(flags, source)),
      ...(yield* databaseProblems(flags, source)),
      ...(yield* duplicateKeys(flags, source)),
      ...(yield* ExternalServices.incomplete(flags, source))
    ]
    if (Arr.isReadonlyArrayNonEmpty(problems)) return yield* new SettingsError({ problems })
    const { secretKeysFile, ...read } = yield* Effect.orDie(everything.parse(source))
    return {
      ...Struct.omit(read, [
        ...Struct.keys(postgresSettings),
        ...Struct.keys(accountLimitSettings),
        ...ExternalServices.names
      ]),
      accountLimits: accountLimits(read),
      ...Result.getOrThrow(ExternalServices.choose(read)),
      databaseUrl: DatabaseUrl.withOptions(read.databaseUrl, postgresOptions(read)),
      secretKeys: secretKeysFile ?? read.secretKeys
    }
  }
)

const databaseSettings = [databaseUrl, ...Object.values(postgresSettings)]

/** Reads only the settings of the database. Fails with every problem of them. */
export const loadDatabaseUrl: (flags: Flags) => Effect.Effect<DatabaseUrl.DatabaseUrl, SettingsError> =
  Tracing.operation("Settings.loadDatabaseUrl")(function* (flags) {
    const source = yield* sources(databaseSettings, flags)
    const problems = [...(yield* wrong(databaseSettings, flags, source)), ...(yield* databaseProblems(flags, source))]
    if (Arr.isReadonlyArrayNonEmpty(problems)) return yield* new SettingsError({ problems })
    const database = yield* Effect.orDie(configs.databaseUrl.parse(source))
    return DatabaseUrl.withOptions(database, postgresOptions(yield* Effect.orDie(postgres.parse(source))))
  })

const postgres = Config.all(Struct.pick(configs, Struct.keys(postgresSettings)))

const postgresOptions = ({
  databaseCell,
  databaseConnections,
  databaseListenUrl,
  databasePooler,
  databaseStatementTimeout,
  databaseWorkerConnections
}: Config.Success<typeof postgres>): DatabaseUrl.PostgresOptions => ({
  maxConnections: databaseConnections,
  workerConnections: databaseWorkerConnections,
  statementTimeout: databaseStatementTimeout,
  ...(databasePooler !== null && { pooler: databasePooler }),
  ...(databaseListenUrl !== null && { listenUrl: databaseListenUrl }),
  ...(databaseCell !== null && { cell: databaseCell })
})

/**
 * Returns a problem if there is a URL that avoids the pooler, but no pooler, and one if a SQLite database is given another
 * cell than 0.
 */
const databaseProblems = (
  flags: Flags,
  source: ConfigProvider.ConfigProvider
): Effect.Effect<ReadonlyArray<SettingProblem>> =>
  Effect.match(Config.all({ options: postgres, database: configs.databaseUrl }).parse(source), {
    onFailure: () => [],
    onSuccess: ({ database, options: { databaseCell, databaseListenUrl, databasePooler } }) => {
      const problems: Array<SettingProblem> = []
      if (databaseListenUrl !== null && databasePooler === null) {
        problems.push({
          name: nameOf(settings.databasePooler, flags),
          message: `Expected transaction, because ${settings.databaseListenUrl.variable} is given`,
          example: settings.databasePooler.example
        })
      }
      if (database._tag !== "Postgres" && databaseCell !== null && databaseCell !== single) {
        problems.push({
          name: nameOf(settings.databaseCell, flags),
          message: `Expected 0, because ${settings.databaseUrl.variable} is a SQLite database`,
          example: "0"
        })
      }
      return problems
    }
  })

const limits = Config.all(Struct.pick(configs, Struct.keys(accountLimitSettings)))

/** Reads only the given settings, from variables. Fails with every problem of them. */
const loadOnly = Effect.fnUntraced(function* <A>(given: ReadonlyArray<Setting<unknown>>, config: Config.Config<A>) {
  const source = yield* sources(given, {})
  const problems = yield* wrong(given, {}, source)
  if (Arr.isReadonlyArrayNonEmpty(problems)) return yield* new SettingsError({ problems })
  return yield* Effect.orDie(config.parse(source))
})

/** Reads only the quotas of an account. It reads variables, because the commands that need the quotas have no such flags. */
export const loadAccountLimits: Effect.Effect<Limits, SettingsError> = loadOnly(
  Object.values(accountLimitSettings),
  limits
).pipe(Effect.map(accountLimits), Tracing.span("Settings.loadAccountLimits"))

const siteSettings = Struct.pick(settings, ["host", "port", "publicUrl"])

const siteConfig = Config.all(Struct.pick(configs, Struct.keys(siteSettings)))

/** Reads only the settings that decide where people reach the server. */
export const loadSite: Effect.Effect<Config.Success<typeof siteConfig>, SettingsError> = loadOnly(
  Object.values(siteSettings),
  siteConfig
).pipe(Tracing.span("Settings.loadSite"))

const keySettings = [settings.secretKeys, settings.secretKeysFile]

/** Reads only the secret keys, from the variable or the file. Fails when both are given. */
export const loadSecretKeys: (flags: Flags) => Effect.Effect<Keyring, SettingsError> = Tracing.operation(
  "Settings.loadSecretKeys"
)(function* (flags) {
  const source = yield* sources(keySettings, flags)
  const problems = [...(yield* wrong(keySettings, flags, source)), ...(yield* duplicateKeys(flags, source))]
  if (Arr.isReadonlyArrayNonEmpty(problems)) return yield* new SettingsError({ problems })
  return (
    (yield* Effect.orDie(configs.secretKeysFile.parse(source))) ??
    (yield* Effect.orDie(configs.secretKeys.parse(source)))
  )
})

/** Returns a problem if both the variable and the file give secret keys. */
const duplicateKeys = (
  flags: Flags,
  source: ConfigProvider.ConfigProvider
): Effect.Effect<ReadonlyArray<SettingProblem>> =>
  Effect.match(Config.all({ file: configs.secretKeysFile, keys: configs.secretKeys }).parse(source), {
    onFailure: () => [],
    onSuccess: ({ file, keys }) =>
      file === null || keys.keys.length === 0
        ? []
        : [
            {
              name: nameOf(settings.secretKeysFile, flags),
              message: `Expected no file, because ${settings.secretKeys.variable} is given too`,
              example: settings.secretKeysFile.example
            }
          ]
  })

/** Returns a problem if the lease of a delivery is too short for the timeout of an attempt. */
const leaseProblems = (
  flags: Flags,
  source: ConfigProvider.ConfigProvider
): Effect.Effect<ReadonlyArray<SettingProblem>> =>
  Effect.match(Config.all({ lease: configs.webhookLease, timeout: configs.webhookTimeout }).parse(source), {
    onFailure: () => [],
    onSuccess: ({ lease, timeout }) => {
      const minLease = Duration.sum(timeout, leaseMargin)
      return Duration.isGreaterThanOrEqualTo(lease, minLease)
        ? []
        : [
            {
              name: nameOf(settings.webhookLease, flags),
              message: `Expected at least ${Duration.format(leaseMargin)} more than ${nameOf(settings.webhookTimeout, flags)}`,
              example: `${Duration.toSeconds(minLease)} seconds`
            }
          ]
    }
  })
