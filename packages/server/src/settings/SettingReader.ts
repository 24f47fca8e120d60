import { fromIssue } from "@frontdesk/core/values/FieldProblems"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
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

/** A setting as a `Config` of its variable. */
export const toConfig = Struct.lambda<ToConfig>((setting) => Config.schema(setting.codec, setting.variable))

/** Flags before the environment, and the defaults behind it. An empty variable counts as absent. */
export const sources = (given: ReadonlyArray<Setting<unknown>>, flags: Flags) =>
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

/** What is wrong with settings, each by itself. */
export const wrong = (
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

/** A source in which each setting that is wrong has its example, so that the others can be judged beside it. */
export const righted = (
  given: ReadonlyArray<Setting<unknown>>,
  source: ConfigProvider.ConfigProvider
): Effect.Effect<ConfigProvider.ConfigProvider> =>
  Effect.map(
    Effect.filter(given, (setting) => Effect.isFailure(toConfig(setting).parse(source))),
    (mistaken) =>
      ConfigProvider.orElse(record(mistaken.map(({ example, variable }) => [variable, example] as const)), source)
  )

/** How the operator names a setting: by the flag that was given, or by its variable. */
export const nameOf = (setting: Setting<unknown>, flags: Flags): string => {
  const flag = flagName(setting)
  return flags[flag] === undefined ? setting.variable : `--${flag} (${setting.variable})`
}

const messageOf = ({ cause }: Config.ConfigError): string =>
  Schema.isSchemaError(cause) ? (fromIssue(cause.issue)[0]?.message ?? cause.message) : cause.message
