import * as Permission from "@frontdesk/core/access/Permission"
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
import { databaseUrl } from "../settings/SettingDefinitions.ts"
import { flagName, metavar, type Setting } from "../settings/Setting.ts"

/**
 * The flags of settings, by their names. Their texts are read later, together with the environment; what was given is
 * `Record.getSomes` of the result.
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

/** What a command's help says of the settings that it reads and that have no flag. */
export const secretsHelp = (settings: Readonly<Record<string, Setting<unknown>>>): string => {
  const secrets = Object.values(settings).filter(({ isSecret }) => isSecret === true)
  return `Secrets are variables alone: ${secrets.map(({ variable }) => variable).join(", ")}; docs/settings.md has them all.`
}

/** The one setting of commands that only read and write the database. */
export const databaseFlags = settingFlags({ databaseUrl })

/** `--json`: output for machines. */
export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))

const accountHelp = "The account: its id, or its ref in a provisioning document"

/** `--account`: whose keys. */
export const accountFlag = Flag.String("account").pipe(
  Flag.withAlias("a"),
  Flag.withMetavar("ACCOUNT"),
  Flag.withDescription(accountHelp)
)

/** Which account. */
export const accountArgument = Argument.String("account").pipe(Argument.withDescription(accountHelp))

/** Reads the text of a parameter. */
const readAs =
  <A>(kind: "flag" | "argument", option: string, reader: TextReader<A>) =>
  (value: string): Effect.Effect<A, CliError.InvalidValue> =>
    Result.match(reader(value), {
      onFailure: (expected) => Effect.fail(new CliError.InvalidValue({ option, value, expected, kind })),
      onSuccess: Effect.succeed
    })

/** A flag whose text a reader reads. */
export const readFlag = <A>(name: string, reader: TextReader<A>): Flag.Flag<A> =>
  Flag.String(name).pipe(Flag.mapEffect(readAs("flag", name, reader)))

/** An argument whose text a reader reads. */
export const readArgument = <A>(name: string, reader: TextReader<A>): Argument.Argument<A> =>
  Argument.String(name).pipe(Argument.mapEffect(readAs("argument", name, reader)))

/** Permissions by name, separated by commas, or `*` for all. */
export const permissions: TextReader<ReadonlyArray<Permission.Permission>> = (text) =>
  text.trim() === "*"
    ? Result.succeed(Permission.all)
    : SettingCodecs.list(SettingCodecs.choice(Object.fromEntries(Permission.all.map((name) => [name, name]))))(text)

/** An amount of money above zero. */
export const amount: TextReader<Money> = (text) =>
  Result.filterOrFail(
    Result.mapError(Schema.decodeResult(AmountFromText)(text), () =>
      Math.abs(Number(text)) > maxAmount ? `an amount of at most ${maxAmount}` : "an amount with at most six decimals"
    ),
    (money) => money > 0,
    () => "an amount above zero"
  )

const AmountFromText = Schema.FiniteFromString.pipe(Schema.decodeTo(MoneyFromNumber))

/** What RFC 3339 has at the end of a time and the API may leave out: seconds, and a zone. */
const secondsAndZone = /:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

/** An instant by RFC 3339, `2026-12-31T00:00:00Z`; without a zone it would be anybody's guess. */
export const instant: TextReader<DateTime.Utc> = (text) =>
  Result.mapBoth(
    Result.filterOrFail(
      WallTime.parse(text, utc),
      () => secondsAndZone.test(text),
      () => undefined
    ),
    {
      onFailure: () => "a time with Z or an offset, 2026-12-31T00:00:00Z or 2026-12-31T01:00:00+01:00",
      onSuccess: (millis) => DateTime.makeUnsafe(millis)
    }
  )

/** A number of rows a page may have. */
export const pageLimit: TextReader<number> = SettingCodecs.number(
  `a whole number from 1 to ${maxLimit}`,
  (limit) => Number.isInteger(limit) && limit >= 1 && limit <= maxLimit
)

/** A database id. */
export const id: TextReader<number> = SettingCodecs.number(
  "a whole number above 0",
  (value) => value > 0 && Number.isSafeInteger(value)
)

/** The flags of a list that is printed page by page. */
export const pageFlags = {
  page: readFlag("page", id).pipe(
    Flag.withMetavar("NUMBER"),
    Flag.withDescription("Which page of them (default: 1)"),
    Flag.withDefault(1)
  ),
  limit: readFlag("limit", pageLimit).pipe(
    Flag.withMetavar("NUMBER"),
    Flag.withDescription(`How many a page has, from 1 to ${maxLimit} (default: 20)`),
    Flag.withDefault(20)
  )
}

/** The id of a delivery. */
export const deliveryId: TextReader<DeliveryId> = (text) =>
  Result.mapError(Schema.decodeResult(DeliveryId)(text.trim().toLowerCase()), () => "the id of a delivery")

/** How a delivery stands. */
export const deliveryStatus: TextReader<DeliveryStatus> = (text) =>
  Result.mapError(
    Schema.decodeUnknownResult(DeliveryStatus)(text.trim().toLowerCase()),
    () => `one of ${DeliveryStatus.literals.join(", ")}`
  )
