import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"

/** A setting of the operator: an environment variable, and a flag with the same name unless the value is a secret. */
export interface Setting<out A> {
  /** The environment variable. */
  readonly variable: string
  /** The meaning, as the help of the flag and `docs/settings.md` show it. */
  readonly meaning: string
  /** The default, in the form of a given value. Empty if the setting has no default value. */
  readonly fallback: string
  /** A description of the default, if `fallback` does not show it. */
  readonly fallbackInWords?: string
  /** A valid value, for the message about an invalid one. */
  readonly example: string
  /** Whether the flag without a value means `true`. */
  readonly isSwitch?: boolean
  /** Whether the value is a secret. Then it has no flag, because every user of a machine can read the flags of a process. */
  readonly isSecret?: boolean
  /** Decodes the value from its text. */
  readonly codec: Schema.ConstraintCodec<A, unknown>
}

/** Returns the setting unchanged. The call infers the type of the value from the codec. */
export const define = <A>(setting: Setting<A>): Setting<A> => setting

/** The decoded values of settings, by name. */
export type Read<Settings> = {
  readonly [Name in keyof Settings]: Settings[Name] extends Setting<infer A> ? A : never
}

/** A setting that is absent although another one requires it. */
export interface Missing {
  readonly setting: Setting<unknown>
  /** The setting that requires it, with its value: `because FRONTDESK_MAIL_URL is given`. */
  readonly because: string
}

type Given<Values, Name extends keyof Values> = { readonly [N in Name]: NonNullable<Values[N]> }

const areGiven = <Values, Name extends keyof Values>(
  values: Values,
  names: ReadonlyArray<Name>
): values is Values & Given<Values, Name> => names.every((name) => values[name] !== null)

/** Returns the values of settings that are required together, or the ones that are missing. */
export const requireAll = <Settings extends Readonly<Record<string, Setting<unknown>>>, Name extends keyof Settings>(
  settings: Settings,
  values: Read<Settings>,
  names: ReadonlyArray<Name>,
  because: string
): Result.Result<Given<Read<Settings>, Name>, ReadonlyArray<Missing>> =>
  areGiven(values, names)
    ? Result.succeed(values)
    : Result.fail(names.filter((name) => values[name] === null).map((name) => ({ setting: settings[name], because })))

/** Returns the missing settings of a choice; an empty list if it succeeded. */
export const missing = <A>(choice: Result.Result<A, ReadonlyArray<Missing>>): ReadonlyArray<Missing> =>
  Result.match(choice, { onFailure: (settings) => settings, onSuccess: () => [] })

/** Returns the name of a setting's flag: `public-url` for `FRONTDESK_PUBLIC_URL`. */
export const flagName = (setting: Setting<unknown>): string =>
  setting.variable.replace("FRONTDESK_", "").toLowerCase().replaceAll("_", "-")

/** Returns the placeholder for the value in the help of a flag: `URL` for `--public-url`. */
export const metavar = (setting: Setting<unknown>): string => setting.variable.split("_").at(-1) ?? ""

/** Variables that only one command reads. They are not settings of the server. */
export const commandVariables = {
  /** The password or the refresh token of `frontdesk calendars connect`. */
  calendarSecret: "FRONTDESK_CALENDAR_SECRET",
  /** The database that `frontdesk copy` copies. */
  copyFrom: "FRONTDESK_COPY_FROM",
  /** The database that `frontdesk copy` writes to. */
  copyTo: "FRONTDESK_COPY_TO"
} as const
