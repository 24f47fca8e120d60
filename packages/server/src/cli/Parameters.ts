import { MovementKind } from "@frontdesk/core/access/FundMovement"
import * as Permission from "@frontdesk/core/access/Permission"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { maxAmount, type Money, MoneyFromNumber } from "@frontdesk/core/values/Money"
import { maxLimit } from "@frontdesk/core/values/Page"
import type { TextReader } from "@frontdesk/core/values/TextReader"
import { utc } from "@frontdesk/core/values/TimeZone"
import { DeliveryId, DeliveryStatus } from "@frontdesk/core/delivery/Delivery"
import * as WallTime from "@frontdesk/core/values/WallTime"
import * as DateTime from "effect/DateTime"
import * as Argument from "effect/cli/Argument"
import * as CliError from "effect/cli/CliError"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SettingCodecs from "../settings/SettingCodecs.ts"
import { databaseUrl } from "../settings/DatabaseSettings.ts"
import { flagName, metavar, type Setting } from "../settings/Setting.ts"

/**
 * Returns the flags of settings, by name; a secret has no flag. The parsed values are texts, which are decoded later,
 * together with the environment. `Record.getSomes` of the parsed flags returns the given ones.
 */
export const settingFlags = (
  settings: Readonly<Record<string, Setting<unknown>>>
): Readonly<Record<string, Flag.Flag<Option.Option<string>>>> =>
  Record.mapEntries(
    Record.filter(settings, ({ isSecret }) => isSecret !== true),
    (setting) => {
      const name = flagName(setting)
      const shown = setting.fallbackInWords ?? setting.fallback
      const help = `${setting.meaning} (${setting.variable}; default: ${shown})`
      const flag =
        setting.isSwitch === true
          ? Flag.map(Flag.Boolean(name), String)
          : Flag.String(name).pipe(Flag.withMetavar(metavar(setting)))
      return [name, flag.pipe(Flag.withDescription(help), Flag.optional)]
    }
  )

/** Returns the sentence for a command's help that lists the secrets which the command reads from variables. */
export const secretsHelp = (settings: Readonly<Record<string, Setting<unknown>>>): string => {
  const secrets = Object.values(settings).filter(({ isSecret }) => isSecret === true)
  return `Secrets have no flags, only variables: ${secrets.map(({ variable }) => variable).join(", ")}. See docs/settings.md.`
}

/** The flags of commands whose only setting is the database. */
export const databaseFlags = settingFlags({ databaseUrl })

/** The flag `--json`, with which a command prints JSON instead of text. */
export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))

const accountHelp = "The account, by its id or by its ref in a provisioning document"

/** The flag `--account`, which names an account by its id or its ref. */
export const accountFlag = Flag.String("account").pipe(
  Flag.withAlias("a"),
  Flag.withMetavar("ACCOUNT"),
  Flag.withDescription(accountHelp)
)

/** The argument that names an account by its id or its ref. */
export const accountArgument = Argument.String("account").pipe(Argument.withDescription(accountHelp))

/** Returns the function that parses a parameter with a reader. It fails with the form that the reader expects. */
const readAs =
  <A>(kind: "flag" | "argument", option: string, reader: TextReader<A>) =>
  (value: string): Effect.Effect<A, CliError.InvalidValue> =>
    Result.match(reader(value), {
      onFailure: (expected) => Effect.fail(new CliError.InvalidValue({ option, value, expected, kind })),
      onSuccess: Effect.succeed
    })

/** Returns a required flag whose value a reader parses. */
export const readFlag = <A>(name: string, reader: TextReader<A>): Flag.Flag<A> =>
  Flag.String(name).pipe(Flag.mapEffect(readAs("flag", name, reader)))

/** Returns a required argument whose value a reader parses. */
export const readArgument = <A>(name: string, reader: TextReader<A>): Argument.Argument<A> =>
  Argument.String(name).pipe(Argument.mapEffect(readAs("argument", name, reader)))

/** Reads permissions by name, separated by commas, or `*` for all. */
export const permissions: TextReader<ReadonlyArray<Permission.Permission>> = (text) =>
  text.trim() === "*" ? Result.succeed(Permission.all) : SettingCodecs.list(SettingCodecs.oneOf(Permission.all))(text)

/** Reads an amount of money above zero, with at most six decimals, and not above the maximum amount. */
export const amount: TextReader<Money> = (text) =>
  Result.filterOrFail(
    Result.mapError(Schema.decodeResult(AmountFromText)(text), () =>
      Math.abs(Number(text)) > maxAmount ? `an amount of at most ${maxAmount}` : "an amount with at most six decimals"
    ),
    (money) => money > 0,
    () => "an amount above zero"
  )

const AmountFromText = Schema.FiniteFromString.pipe(Schema.decodeTo(MoneyFromNumber))

/** Matches the seconds and the zone at the end of a time. RFC 3339 requires both, and the API requires neither. */
const secondsAndZone = /:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

/** Reads a time in the form of RFC 3339, `2026-12-31T00:00:00Z`. A time without a zone would be ambiguous and fails. */
export const instant: TextReader<DateTime.Utc> = (text) =>
  Result.mapBoth(
    Result.filterOrFail(
      WallTime.parse(text, utc),
      () => secondsAndZone.test(text),
      () => undefined
    ),
    {
      onFailure: () => "a time with Z or an offset, for example 2026-12-31T00:00:00Z or 2026-12-31T01:00:00+01:00",
      onSuccess: (millis) => DateTime.makeUnsafe(millis)
    }
  )

/** Reads the number of rows of a page, from 1 to the maximum of the API. */
export const pageLimit: TextReader<number> = SettingCodecs.number(
  `a whole number from 1 to ${maxLimit}`,
  (limit) => Number.isInteger(limit) && limit >= 1 && limit <= maxLimit
)

/** Reads the id of a record: a whole number above 0. */
export const id: TextReader<number> = SettingCodecs.number(
  "a whole number above 0",
  (value) => value > 0 && Number.isSafeInteger(value)
)

/** The flags of a command that prints a list in pages. */
export const pageFlags = {
  page: readFlag("page", id).pipe(
    Flag.withMetavar("NUMBER"),
    Flag.withDescription("The number of the page (default: 1)"),
    Flag.withDefault(1)
  ),
  limit: readFlag("limit", pageLimit).pipe(
    Flag.withMetavar("NUMBER"),
    Flag.withDescription(`Number of rows on a page, from 1 to ${maxLimit} (default: 20)`),
    Flag.withDefault(20)
  )
}

/** Reads a date in the form `2026-12-31`. */
const date: TextReader<CalendarDate> = (text) =>
  Result.mapError(Schema.decodeUnknownResult(CalendarDate)(text.trim()), () => "a date, for example 2026-12-31")

const dateFlag = (name: string, which: string) =>
  readFlag(name, date).pipe(
    Flag.withMetavar("DATE"),
    Flag.withDescription(`The ${which} day, in the account's time zone: 2026-12-31`),
    Flag.optional
  )

/** The flags of a command that shows a range of days. */
export const dateFlags = { startDate: dateFlag("start-date", "first"), endDate: dateFlag("end-date", "last") }

/** Reads the id of a delivery, in upper or lower case. */
export const deliveryId: TextReader<DeliveryId> = (text) =>
  Result.mapError(Schema.decodeResult(DeliveryId)(text.trim().toLowerCase()), () => "the id of a delivery")

/** Reads the status of a delivery, in upper or lower case. */
export const deliveryStatus: TextReader<DeliveryStatus> = SettingCodecs.oneOf(DeliveryStatus.literals)

/** Reads the kind of a movement, in upper or lower case. */
export const movementKind: TextReader<MovementKind> = SettingCodecs.oneOf(MovementKind.literals)
