import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"

/** One thing an operator can decide, under one name: as an environment variable, as a flag, in the documentation. */
export interface Setting<out A> {
  /** The environment variable. */
  readonly variable: string
  /** What it decides, as the help of its flag says it. */
  readonly meaning: string
  /** What it is when it is not given, written as it would be given; empty: nothing. */
  readonly fallback: string
  /** The default in words, where it is not a value. */
  readonly fallbackInWords?: string
  /** A value that is right, for the message about one that is wrong. */
  readonly example: string
  /** Whether its flag alone means `true`. */
  readonly isSwitch?: boolean
  /** Whether its value is a secret: then it has no flag, for everyone on a machine can read the flags of a process. */
  readonly isSecret?: boolean
  /** How its text is read. */
  readonly codec: Schema.ConstraintCodec<A, unknown>
}

/** A setting with the type of its value. */
export const define = <A>(setting: Setting<A>): Setting<A> => setting

/** What settings read to, by their names. */
export type Read<Settings> = {
  readonly [Name in keyof Settings]: Settings[Name] extends Setting<infer A> ? A : never
}

/** A setting that is not given although another one asks for it. */
export interface Missing {
  readonly setting: Setting<unknown>
  /** Which one asks for it, and how: `because FRONTDESK_MAIL_URL is given`. */
  readonly because: string
}

type Given<Values, Name extends keyof Values> = { readonly [N in Name]: NonNullable<Values[N]> }

const areGiven = <Values, Name extends keyof Values>(
  values: Values,
  names: ReadonlyArray<Name>
): values is Values & Given<Values, Name> => names.every((name) => values[name] !== null)

/** The values of settings that must all be given, or those that are not. */
export const requireAll = <Settings extends Readonly<Record<string, Setting<unknown>>>, Name extends keyof Settings>(
  settings: Settings,
  values: Read<Settings>,
  names: ReadonlyArray<Name>,
  because: string
): Result.Result<Given<Read<Settings>, Name>, ReadonlyArray<Missing>> =>
  areGiven(values, names)
    ? Result.succeed(values)
    : Result.fail(names.filter((name) => values[name] === null).map((name) => ({ setting: settings[name], because })))

/** What a choice lacks. */
export const missing = <A>(choice: Result.Result<A, ReadonlyArray<Missing>>): ReadonlyArray<Missing> =>
  Result.match(choice, { onFailure: (lacks) => lacks, onSuccess: () => [] })

/** The name of a setting's flag: `public-url` for `FRONTDESK_PUBLIC_URL`. */
export const flagName = (setting: Setting<unknown>): string =>
  setting.variable.replace("FRONTDESK_", "").toLowerCase().replaceAll("_", "-")

/** What the help of a flag shows in place of a value: `URL` for `--public-url`. */
export const metavar = (setting: Setting<unknown>): string => setting.variable.split("_").at(-1) ?? ""

/** Variables that one command alone reads, and that are no settings of a server. */
export const commandVariables = {
  /** The password or the refresh token of `frontdesk calendars connect`. */
  calendarSecret: "FRONTDESK_CALENDAR_SECRET",
  /** The database that `frontdesk copy` copies. */
  copyFrom: "FRONTDESK_COPY_FROM",
  /** The database that it copies to. */
  copyTo: "FRONTDESK_COPY_TO"
} as const
