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
import { accountLimits, accountLimitSettings } from "./AccountLimitSettings.ts"
import * as DatabaseUrl from "./DatabaseUrl.ts"
import { databaseUrl, postgresSettings, settings } from "./SettingDefinitions.ts"
import * as ExternalServices from "./ExternalServices.ts"
import { type Flags, nameOf, type SettingProblem, SettingsError, sources, toConfig, wrong } from "./SettingReader.ts"

export { type Flags, SettingsError } from "./SettingReader.ts"
export { loadCalendars } from "./ExternalServices.ts"

const configs = Struct.map(settings, toConfig)

const everything = Config.all(configs)

type Everything = Config.Success<typeof everything>

/**
 * What the server is told: every setting, read; how PostgreSQL is used as part of the database, and the keys of secrets
 * from wherever they were given.
 */
export type Settings = Omit<
  Everything,
  | "secretKeysFile"
  | keyof typeof postgresSettings
  | keyof typeof accountLimitSettings
  | (typeof ExternalServices.names)[number]
> &
  ExternalServices.Outside & { readonly accountLimits: Limits }

/** Reads every setting and says of all at once what is wrong with them. A flag counts before its variable. */
export const load: (flags: Flags) => Effect.Effect<Settings, SettingsError> = Effect.fn("Settings.load")(
  function* (flags) {
    const all = Object.values(settings)
    const source = yield* sources(all, flags)
    const problems = [
      ...(yield* wrong(all, flags, source)),
      ...(yield* contradictions(flags, source)),
      ...(yield* unpooled(flags, source)),
      ...(yield* twice(flags, source)),
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

/** Reads where the data is kept and how PostgreSQL is used, and nothing else. */
export const loadDatabaseUrl: (flags: Flags) => Effect.Effect<DatabaseUrl.DatabaseUrl, SettingsError> = Effect.fn(
  "Settings.loadDatabaseUrl"
)(function* (flags) {
  const source = yield* sources(databaseSettings, flags)
  const problems = [...(yield* wrong(databaseSettings, flags, source)), ...(yield* unpooled(flags, source))]
  if (Arr.isReadonlyArrayNonEmpty(problems)) return yield* new SettingsError({ problems })
  const database = yield* Effect.orDie(configs.databaseUrl.parse(source))
  return DatabaseUrl.withOptions(database, postgresOptions(yield* Effect.orDie(postgres.parse(source))))
})

const postgres = Config.all(Struct.pick(configs, Struct.keys(postgresSettings)))

const postgresOptions = ({
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
  ...(databaseListenUrl !== null && { listenUrl: databaseListenUrl })
})

/** A way past a pooler where there is none. */
const unpooled = (flags: Flags, source: ConfigProvider.ConfigProvider): Effect.Effect<ReadonlyArray<SettingProblem>> =>
  Effect.match(postgres.parse(source), {
    onFailure: () => [],
    onSuccess: ({ databaseListenUrl, databasePooler }) =>
      databaseListenUrl === null || databasePooler !== null
        ? []
        : [
            {
              name: nameOf(settings.databasePooler, flags),
              message: `Expected transaction, because ${settings.databaseListenUrl.variable} is given`,
              example: settings.databasePooler.example
            }
          ]
  })

const limits = Config.all(Struct.pick(configs, Struct.keys(accountLimitSettings)))

/** Reads how much of each resource an account may have, and nothing else: from variables, because it has no flags. */
export const loadAccountLimits: Effect.Effect<Limits, SettingsError> = Effect.gen(function* () {
  const given = Object.values(accountLimitSettings)
  const source = yield* sources(given, {})
  const problems = yield* wrong(given, {}, source)
  if (Arr.isReadonlyArrayNonEmpty(problems)) return yield* new SettingsError({ problems })
  return accountLimits(yield* Effect.orDie(limits.parse(source)))
}).pipe(Effect.withSpan("Settings.loadAccountLimits"))

const keySettings = [settings.secretKeys, settings.secretKeysFile]

/** Reads the keys of secrets, and nothing else. */
export const loadSecretKeys: (flags: Flags) => Effect.Effect<Keyring, SettingsError> = Effect.fn(
  "Settings.loadSecretKeys"
)(function* (flags) {
  const source = yield* sources(keySettings, flags)
  const problems = [...(yield* wrong(keySettings, flags, source)), ...(yield* twice(flags, source))]
  if (Arr.isReadonlyArrayNonEmpty(problems)) return yield* new SettingsError({ problems })
  return (
    (yield* Effect.orDie(configs.secretKeysFile.parse(source))) ??
    (yield* Effect.orDie(configs.secretKeys.parse(source)))
  )
})

/** Keys that are given in both places. */
const twice = (flags: Flags, source: ConfigProvider.ConfigProvider): Effect.Effect<ReadonlyArray<SettingProblem>> =>
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

/** What is wrong with settings that are right each by itself. */
const contradictions = (
  flags: Flags,
  source: ConfigProvider.ConfigProvider
): Effect.Effect<ReadonlyArray<SettingProblem>> =>
  Effect.match(Config.all({ lease: configs.webhookLease, timeout: configs.webhookTimeout }).parse(source), {
    onFailure: () => [],
    onSuccess: ({ lease, timeout }) => {
      const least = Duration.sum(timeout, leaseMargin)
      return Duration.isGreaterThanOrEqualTo(lease, least)
        ? []
        : [
            {
              name: nameOf(settings.webhookLease, flags),
              message: `Expected ${Duration.format(leaseMargin)} more than ${nameOf(settings.webhookTimeout, flags)}, or longer`,
              example: `${Duration.toSeconds(least)} seconds`
            }
          ]
    }
  })
