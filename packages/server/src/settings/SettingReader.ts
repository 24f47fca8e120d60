import { fromIssue } from "@frontdesk/core/values/FieldProblems"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { flagName, type Setting } from "./Setting.ts"

/** An invalid or missing setting: its name as the operator gave it, the problem, and an example of a valid value. */
export const SettingProblem = Schema.Struct({ name: Schema.String, message: Schema.String, example: Schema.String })

/** An invalid or missing setting. */
export type SettingProblem = typeof SettingProblem.Type

/** Some settings are invalid or missing. The error has all of them. */
export class SettingsError extends Schema.TaggedError<SettingsError>("frontdesk/settings/SettingsError")(
  "SettingsError",
  { problems: Schema.NonEmptyArray(SettingProblem) }
) {}

/** The values on the command line, by the names of the flags. */
export type Flags = Readonly<Record<string, string>>

interface ToConfig extends Struct.Lambda {
  <A>(setting: Setting<A>): Config.Config<A>
  readonly "~lambda.out": this["~lambda.in"] extends Setting<infer A> ? Config.Config<A> : never
}

/** Returns the setting as a `Config` that reads its variable. */
export const toConfig = Struct.lambda<ToConfig>((setting) => Config.schema(setting.codec, setting.variable))

/** Returns a source of values: first the flags, then the environment, then the defaults. An empty variable is absent. */
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

/** Returns a problem for each setting whose own value is invalid. It does not compare settings with each other. */
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

/**
 * Returns the source with the example of each invalid setting in place of its value. Then the settings can be decoded
 * together, to find the problems of the other ones.
 */
export const withExamples = (
  given: ReadonlyArray<Setting<unknown>>,
  source: ConfigProvider.ConfigProvider
): Effect.Effect<ConfigProvider.ConfigProvider> =>
  Effect.map(
    Effect.filter(given, (setting) => Effect.isFailure(toConfig(setting).parse(source))),
    (invalid) =>
      ConfigProvider.orElse(record(invalid.map(({ example, variable }) => [variable, example] as const)), source)
  )

/** Returns the name that the operator used: `--port (FRONTDESK_PORT)` if the flag was given, otherwise the variable. */
export const nameOf = (setting: Setting<unknown>, flags: Flags): string => {
  const flag = flagName(setting)
  return flags[flag] === undefined ? setting.variable : `--${flag} (${setting.variable})`
}

const messageOf = ({ cause }: Config.ConfigError): string =>
  Schema.isSchemaError(cause) ? (fromIssue(cause.issue)[0]?.message ?? cause.message) : cause.message
