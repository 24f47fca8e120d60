import { fromIssue } from "@frontdesk/core/values/FieldProblems"
import { leaseMargin } from "@frontdesk/core/webhook/DeliverySettings"
import * as Arr from "effect/Array"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { Keyring } from "@frontdesk/core/crypto/Keyring"
import * as DatabaseUrl from "./DatabaseUrl.ts"
import { databaseUrl, postgresSettings, settings } from "./Definitions.ts"
import { flagName, type Setting } from "./Setting.ts"

/** A setting that is wrong: how the operator named it, what is wrong, a value that is right. */
export const SettingProblem = Schema.Struct({ name: Schema.String, message: Schema.String, example: Schema.String })

/** A setting that is wrong. */
export type SettingProblem = typeof SettingProblem.Type

/** Settings that cannot be; all of them at once. */
export class SettingsError extends Schema.TaggedError<SettingsError>("frontdesk/settings/SettingsError")(
  "SettingsError",
  { problems: Schema.NonEmptyArray(SettingProblem) }
) {}

/** What was given on the command line, by the names of flags. */
export type Flags = Readonly<Record<string, string>>

interface ToConfig extends Struct.Lambda {
  <A>(setting: Setting<A>): Config.Config<A>
  readonly "~lambda.out": this["~lambda.in"] extends Setting<infer A> ? Config.Config<A> : never
}

const toConfig = Struct.lambda<ToConfig>((setting) => Config.schema(setting.codec, setting.variable))

const configs = Struct.map(settings, toConfig)

const everything = Config.all(configs)

type Everything = Config.Success<typeof everything>

/**
 * What the server is told: every setting, read; how PostgreSQL is used as part of the database, and the keys of secrets
 * from wherever they were given.
 */
export type Settings = Omit<Everything, "secretKeysFile" | keyof typeof postgresSettings>

/** Reads every setting and says of all at once what is wrong with them. A flag counts before its variable. */
export const load: (flags: Flags) => Effect.Effect<Settings, SettingsError> = Effect.fn("Settings.load")(
  function* (flags) {
    const all = Object.values(settings)
    const source = yield* sources(all, flags)
    const problems = [
      ...(yield* wrong(all, flags, source)),
      ...(yield* contradictions(flags, source)),
      ...(yield* unpooled(flags, source)),
      ...(yield* twice(flags, source))
    ]
    if (Arr.isReadonlyArrayNonEmpty(problems)) return yield* new SettingsError({ problems })
    const { secretKeysFile, ...read } = yield* Effect.orDie(everything.parse(source))
    return {
      ...Struct.omit(read, Struct.keys(postgresSettings)),
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
  databaseStatementTimeout
}: Config.Success<typeof postgres>): DatabaseUrl.PostgresOptions => ({
  maxConnections: databaseConnections,
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

/** Flags before the environment, and the defaults behind it. An empty variable counts as absent. */
const sources = (given: ReadonlyArray<Setting<unknown>>, flags: Flags) =>
  Effect.map(ConfigProvider.ConfigProvider, (environment) => {
    const flagged = given.flatMap((setting): ReadonlyArray<readonly [string, string]> => {
      const value = flags[flagName(setting)]
      return value === undefined ? [] : [[setting.variable, value]]
    })
    const fallbacks = given.map((setting) => [setting.variable, setting.fallback] as const)
    return record(flagged).pipe(ConfigProvider.orElse(environment), ConfigProvider.orElse(record(fallbacks)))
  })

const record = (entries: ReadonlyArray<readonly [string, string]>): ConfigProvider.ConfigProvider =>
  ConfigProvider.fromEnvRecord(Object.fromEntries(entries), { preserveEmptyStrings: true })

const wrong = (
  given: ReadonlyArray<Setting<unknown>>,
  flags: Flags,
  source: ConfigProvider.ConfigProvider
): Effect.Effect<ReadonlyArray<SettingProblem>> =>
  Effect.map(
    Effect.forEach(given, (setting) =>
      Effect.match(toConfig(setting).parse(source), {
        onSuccess: () => [],
        onFailure: (error) => [{ name: nameOf(setting, flags), message: messageOf(error), example: setting.example }]
      })
    ),
    (problems) => problems.flat()
  )

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

/** How the operator names a setting: by the flag that was given, or by its variable. */
const nameOf = (setting: Setting<unknown>, flags: Flags): string => {
  const flag = flagName(setting)
  return flags[flag] === undefined ? setting.variable : `--${flag} (${setting.variable})`
}

const messageOf = ({ cause }: Config.ConfigError): string =>
  Schema.isSchemaError(cause) ? (fromIssue(cause.issue)[0]?.message ?? cause.message) : cause.message
