import { DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { fromIssue } from "@frontdesk/core/values/FieldProblems"
import { names as workerNames } from "@frontdesk/core/worker/Workers"
import * as ErrorTable from "@frontdesk/http/ErrorTable"
import * as PostgresConfig from "@frontdesk/storage-postgres/PostgresConfig"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Arguments from "./facade/Arguments.ts"
import * as Failure from "./failure/Failure.ts"
import type { HostLogger } from "./types/options.ts"

const Count = Schema.Int.check(Schema.isGreaterThan(0))

const Postgres = Schema.Struct({ url: Schema.NonEmptyString, maxConnections: Schema.optionalKey(Count) })

const Storage = Schema.Struct({
  memory: Schema.optionalKey(Schema.Literal(true)),
  sqlite: Schema.optionalKey(Schema.NonEmptyString),
  postgres: Schema.optionalKey(Schema.Union([Schema.NonEmptyString, Postgres]))
}).check(
  Schema.makeFilter((storage) => Object.keys(storage).length === 1, {
    expected: 'one of { memory: true }, { sqlite: "file.db" } and { postgres: "postgres://..." }'
  })
)

const { headerPrefix, retryDelays, timeout } = DeliverySettings.fields

const Webhooks = Schema.Struct({
  allowInsecure: Schema.optionalKey(Schema.Boolean),
  headerPrefix: Schema.optionalKey(headerPrefix),
  retryDelays: Schema.optionalKey(retryDelays),
  timeout: Schema.optionalKey(timeout)
})

const CallProvider = Schema.Struct({
  simulated: Schema.Struct({
    pace: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)))
  })
})

const isLogger = (value: unknown): value is HostLogger =>
  (["debug", "info", "warn", "error"] as const).every(
    (name) => Predicate.hasProperty(value, name) && typeof value[name] === "function"
  )

const Options = Schema.Struct({
  storage: Storage,
  webhooks: Schema.optionalKey(Webhooks),
  callProvider: Schema.optionalKey(CallProvider),
  logger: Schema.optionalKey(
    Schema.declare(isLogger, { expected: "an object with the methods debug, info, warn and error" })
  ),
  workers: Schema.optionalKey(Schema.Union([Schema.Boolean, Schema.Array(Schema.Literals(workerNames))]))
})

/** The options of a Frontdesk, decoded. */
export type Options = typeof Options.Type

const convert = Arguments.compile({ name: "options", schema: Schema.toType(Options) })

const decodeOptions = Schema.decodeUnknownResult(Schema.toType(Options), { errors: "all", onExcessProperty: "error" })

/** Returns the decoded options. Throws a `FrontdeskError` that names each wrong option. */
export const decode = (given: object): Options => {
  // The functions of a logger stay as they are.
  const { logger, ...others }: { readonly logger?: unknown } = given
  const converted = convert(Result.getOrElse(Arguments.read(others), () => others))
  const decoded = decodeOptions(
    logger === undefined || !Predicate.isObject(converted) ? converted : { ...converted, logger }
  )
  if (Result.isSuccess(decoded)) return decoded.success
  const { issue } = decoded.failure
  throw Failure.make(ErrorTable.withDetails("validation_error", fromIssue(issue)), decoded.failure)
}

/** Returns the storage for messages, without the user and password of a database. */
export const show = ({ postgres, sqlite }: Options["storage"]): string => {
  if (sqlite !== undefined) return sqlite
  if (postgres === undefined) return "memory"
  return PostgresConfig.show({ url: Redacted.make(typeof postgres === "string" ? postgres : postgres.url) })
}
