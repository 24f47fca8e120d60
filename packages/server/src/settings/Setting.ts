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

/** The name of a setting's flag: `public-url` for `FRONTDESK_PUBLIC_URL`. */
export const flagName = (setting: Setting<unknown>): string =>
  setting.variable.replace("FRONTDESK_", "").toLowerCase().replaceAll("_", "-")

/** What the help of a flag shows in place of a value: `URL` for `--public-url`. */
export const metavar = (setting: Setting<unknown>): string => setting.variable.split("_").at(-1) ?? ""
