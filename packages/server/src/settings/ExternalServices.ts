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
  righted,
  type SettingProblem,
  SettingsError,
  sources,
  toConfig,
  wrong
} from "./SettingReader.ts"
import { type Missing, missing } from "./Setting.ts"

const settings = {
  ...CallProviderSettings.callSettings,
  ...MailSettings.mailSettings,
  ...CalendarSettings.calendarSettings
}

/** The settings that are read as one choice for each port. */
export const names = Struct.keys(settings)

/** What stands behind the ports to the outside world. */
export interface Outside {
  readonly callProvider: CallProviderSettings.CallProviderChoice
  readonly mail: MailSettings.MailChoice
  readonly calendars: CalendarSettings.CalendarsChoice
}

const asked = { ...settings, publicUrl: CallProviderSettings.publicUrl }

const configs = Config.all(Struct.map(asked, toConfig))

/** What is chosen, or every setting that it lacks. */
export const choose = (read: Config.Success<typeof configs>): Result.Result<Outside, ReadonlyArray<Missing>> => {
  const callProvider = CallProviderSettings.choose(read)
  const mail = MailSettings.choose(read)
  const calendars = CalendarSettings.choose(read)
  return Result.isSuccess(callProvider) && Result.isSuccess(mail) && Result.isSuccess(calendars)
    ? Result.succeed({ callProvider: callProvider.success, mail: mail.success, calendars: calendars.success })
    : Result.fail([...missing(callProvider), ...missing(mail), ...missing(calendars)])
}

const problems =
  (flags: Flags) =>
  (lacks: ReadonlyArray<Missing>): ReadonlyArray<SettingProblem> =>
    lacks.map(({ because, setting }) => ({
      name: nameOf(setting, flags),
      message: `Expected a value, ${because}`,
      example: setting.example
    }))

/** What is lacking of what is chosen. A setting that is wrong by itself counts as given: it is named already. */
export const incomplete = (
  flags: Flags,
  source: ConfigProvider.ConfigProvider
): Effect.Effect<ReadonlyArray<SettingProblem>> =>
  righted(Object.values(asked), source).pipe(
    Effect.flatMap((whole) => configs.parse(whole)),
    Effect.orDie,
    Effect.map((read) => problems(flags)(missing(choose(read))))
  )

const calendars = Config.all(Struct.map(CalendarSettings.calendarSettings, toConfig))

/** Reads the clients with providers of calendars, and nothing else. */
export const loadCalendars: (flags: Flags) => Effect.Effect<CalendarSettings.CalendarsChoice, SettingsError> =
  Effect.fn("Settings.loadCalendars")(function* (flags) {
    const all = Object.values(CalendarSettings.calendarSettings)
    const source = yield* sources(all, flags)
    const read = yield* Effect.orDie(calendars.parse(yield* righted(all, source)))
    const choice = CalendarSettings.choose(read)
    const found = [...(yield* wrong(all, flags, source)), ...problems(flags)(missing(choice))]
    return Arr.isReadonlyArrayNonEmpty(found)
      ? yield* new SettingsError({ problems: found })
      : Result.getOrThrow(choice)
  })
