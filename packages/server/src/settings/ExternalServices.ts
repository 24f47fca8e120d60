import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Arr from "effect/Array"
import * as Config from "effect/Config"
import type * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import * as CalendarSettings from "./CalendarSettings.ts"
import * as CallProviderSettings from "./CallProviderSettings.ts"
import * as MailSettings from "./MailSettings.ts"
import {
  type Flags,
  nameOf,
  type SettingProblem,
  SettingsError,
  sources,
  toConfig,
  withExamples,
  wrong
} from "./SettingReader.ts"
import { type Missing, missing } from "./Setting.ts"

const settings = {
  ...CallProviderSettings.callSettings,
  ...MailSettings.mailSettings,
  ...CalendarSettings.calendarSettings
}

/** The names of the settings that {@link choose} combines into {@link ExternalServices}. */
export const names = Struct.keys(settings)

/** The external services that the settings choose. */
export interface ExternalServices {
  readonly callProvider: CallProviderSettings.CallProviderChoice
  readonly mail: MailSettings.MailChoice
  readonly calendars: CalendarSettings.CalendarsChoice
}

const choiceSettings = { ...settings, publicUrl: CallProviderSettings.publicUrl }

const configs = Config.all(Struct.map(choiceSettings, toConfig))

/** Returns the chosen external services, or every setting that they need and that is missing. */
export const choose = (
  read: Config.Success<typeof configs>
): Result.Result<ExternalServices, ReadonlyArray<Missing>> => {
  const callProvider = CallProviderSettings.choose(read)
  const mail = MailSettings.choose(read)
  const calendars = CalendarSettings.choose(read)
  return Result.isSuccess(callProvider) && Result.isSuccess(mail) && Result.isSuccess(calendars)
    ? Result.succeed({ callProvider: callProvider.success, mail: mail.success, calendars: calendars.success })
    : Result.fail([...missing(callProvider), ...missing(mail), ...missing(calendars)])
}

const problems =
  (flags: Flags) =>
  (absent: ReadonlyArray<Missing>): ReadonlyArray<SettingProblem> =>
    absent.map(({ because, setting }) => ({
      name: nameOf(setting, flags),
      message: `Expected a value, ${because}`,
      example: setting.example
    }))

/**
 * Returns a problem for each missing setting that a chosen service needs. A setting with an invalid value is not missing:
 * {@link wrong} reports it.
 */
export const incomplete = (
  flags: Flags,
  source: ConfigProvider.ConfigProvider
): Effect.Effect<ReadonlyArray<SettingProblem>> =>
  withExamples(Object.values(choiceSettings), source).pipe(
    Effect.flatMap((valid) => configs.parse(valid)),
    Effect.orDie,
    Effect.map((read) => problems(flags)(missing(choose(read))))
  )

const calendars = Config.all(Struct.map(CalendarSettings.calendarSettings, toConfig))

/** Reads only the OAuth clients with calendar providers. Fails with every problem of their settings. */
export const loadCalendars: (flags: Flags) => Effect.Effect<CalendarSettings.CalendarsChoice, SettingsError> =
  Tracing.operation("Settings.loadCalendars")(function* (flags) {
    const all = Object.values(CalendarSettings.calendarSettings)
    const source = yield* sources(all, flags)
    const read = yield* Effect.orDie(calendars.parse(yield* withExamples(all, source)))
    const choice = CalendarSettings.choose(read)
    const found = [...(yield* wrong(all, flags, source)), ...problems(flags)(missing(choice))]
    return Arr.isReadonlyArrayNonEmpty(found)
      ? yield* new SettingsError({ problems: found })
      : Result.getOrThrow(choice)
  })
