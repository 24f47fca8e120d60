import { DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { fromIssue } from "@frontdesk/core/values/FieldProblems"
import { names as workerNames } from "@frontdesk/core/worker/Workers"
import * as ErrorTable from "@frontdesk/http/ErrorTable"
import type { HostPool } from "@frontdesk/storage-postgres/host/HostClient"
import * as PostgresConfig from "@frontdesk/storage-postgres/PostgresConfig"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Arguments from "./facade/Arguments.ts"
import * as Failure from "./failure/Failure.ts"
import type { HostLogger } from "./types/options.ts"

const Count = Schema.Int.check(Schema.isGreaterThan(0))

const SchemaName = Schema.String.check(
  Schema.isPattern(/^[a-z_][a-z0-9_]{0,62}$/, {
    expected: "1 to 63 lower-case letters, digits or _, the first no digit"
  })
)

const isPool = (value: unknown): value is HostPool =>
  Predicate.hasProperty(value, "connect") && typeof value.connect === "function"

const Pool = Schema.Struct({
  pool: Schema.declare(isPool, { expected: "a pool of node-postgres" }),
  schema: Schema.optionalKey(SchemaName)
})

const DatabaseUrl = Schema.String.check(
  Schema.makeFilter((text: string) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text), {
    expected: 'a URL such as "postgres://user:password@host/database"'
  })
)

const Postgres = Schema.Struct({
  url: DatabaseUrl,
  schema: Schema.optionalKey(SchemaName),
  maxConnections: Schema.optionalKey(Count)
})

const Storage = Schema.Struct({
  memory: Schema.optionalKey(Schema.Literal(true)),
  sqlite: Schema.optionalKey(Schema.NonEmptyString),
  postgres: Schema.optionalKey(Schema.Union([DatabaseUrl, Pool, Postgres]))
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

/** Returns the value in place of objects of the program, which are not copied: a logger and a pool. */
const withoutObjects = (given: object): readonly [plain: object, objects: Map<string, unknown>] => {
  const objects = new Map<string, unknown>()
  const { logger, storage, ...others }: { readonly logger?: unknown; readonly storage?: unknown } = given
  if (logger !== undefined) objects.set("logger", logger)
  const postgres: unknown = Predicate.hasProperty(storage, "postgres") ? storage.postgres : undefined
  if (!Predicate.hasProperty(postgres, "pool") || !Predicate.isObject(storage)) return [{ ...others, storage }, objects]
  const { pool, ...rest } = postgres
  objects.set("pool", pool)
  return [{ ...others, storage: { ...storage, postgres: rest } }, objects]
}

const withObjects = (converted: unknown, objects: ReadonlyMap<string, unknown>): unknown => {
  if (!Predicate.isObject(converted)) return converted
  const storage: unknown = Reflect.get(converted, "storage")
  const withPool =
    objects.has("pool") && Predicate.hasProperty(storage, "postgres") && Predicate.isObject(storage.postgres)
      ? { storage: { ...storage, postgres: { ...storage.postgres, pool: objects.get("pool") } } }
      : {}
  return { ...converted, ...withPool, ...(objects.has("logger") && { logger: objects.get("logger") }) }
}

/** Returns the decoded options. Throws a `FrontdeskError` that names each wrong option. */
export const decode = (given: object): Options => {
  const [plain, objects] = withoutObjects(given)
  const converted = convert(Result.getOrElse(Arguments.read(plain), () => plain))
  const decoded = decodeOptions(withObjects(converted, objects))
  if (Result.isSuccess(decoded)) return decoded.success
  const { issue } = decoded.failure
  // Without a cause, which would show the password of a database.
  throw Failure.make(ErrorTable.withDetails("validation_error", fromIssue(issue)), undefined)
}

/** Returns the options of a PostgreSQL database in one form. */
export const postgresOf = (options: Exclude<Options["storage"]["postgres"], undefined>) =>
  typeof options === "string" ? { url: options } : options

/** Returns the storage for messages, without the user and password of a database. */
export const show = ({ postgres, sqlite }: Options["storage"]): string => {
  if (sqlite !== undefined) return sqlite
  if (postgres === undefined) return "memory"
  const options = postgresOf(postgres)
  return "pool" in options ? "a pool of the program" : PostgresConfig.show({ url: Redacted.make(options.url) })
}
