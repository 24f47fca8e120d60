import { english } from "@frontdesk/agent-tools/English"
import type { Texts } from "@frontdesk/agent-tools/Texts"
import { DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { fromIssue } from "@frontdesk/core/values/FieldProblems"
import { names as workerNames } from "@frontdesk/core/worker/Workers"
import { isSignInUrl } from "@frontdesk/http/dashboard/DashboardOptions"
import * as ErrorTable from "@frontdesk/http/ErrorTable"
import { isOrigin } from "@frontdesk/http/request/Origin"
import type { HostPool } from "@frontdesk/storage-postgres/host/HostClient"
import * as PostgresConfig from "@frontdesk/storage-postgres/PostgresConfig"
import * as PostgresSchema from "@frontdesk/storage-postgres/PostgresSchema"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Arguments from "./facade/Arguments.ts"
import * as Failure from "./failure/Failure.ts"
import type { DashboardOptions as GivenDashboardOptions, MountOptions as GivenMountOptions } from "./types/mount.ts"
import * as ProviderOptions from "./ProviderOptions.ts"
import type { HostLogger } from "./types/options.ts"

const Count = Schema.Int.check(Schema.isGreaterThan(0))

const SchemaName = Schema.String.check(
  Schema.isPattern(/^[a-z_][a-z0-9_]{0,62}$/, {
    expected: "1 to 63 lower-case letters, digits or _, the first no digit"
  })
)

const isPool = (value: unknown): value is HostPool =>
  Predicate.hasProperty(value, "connect") && typeof value.connect === "function"

const DatabaseUrl = Schema.String.check(
  Schema.makeFilter((text: string) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text), {
    expected: 'a URL such as "postgres://user:password@host/database"'
  })
)

// One struct, so that an error names the field that is wrong and not those that another form would have.
const Postgres = Schema.Struct({
  url: Schema.optional(DatabaseUrl),
  pool: Schema.optional(Schema.declare(isPool, { expected: "a pool of node-postgres" })),
  schema: Schema.optional(SchemaName),
  maxConnections: Schema.optional(Count)
}).check(
  Schema.makeFilter(({ pool, url }) => (pool === undefined) !== (url === undefined), {
    expected: "either a url or a pool"
  })
)

const Storage = Schema.Struct({
  memory: Schema.optional(Schema.Literal(true)),
  sqlite: Schema.optional(Schema.NonEmptyString),
  postgres: Schema.optionalKey(Schema.Union([DatabaseUrl, Postgres, Schema.Undefined]))
}).check(ProviderOptions.onlyOne('one of { memory: true }, { sqlite: "file.db" } and { postgres: "postgres://..." }'))

const { headerPrefix, retryDelays, timeout } = DeliverySettings.fields

const Webhooks = Schema.Struct({
  allowInsecure: Schema.optional(Schema.Boolean),
  headerPrefix: Schema.optional(headerPrefix),
  retryDelays: Schema.optional(retryDelays),
  timeout: Schema.optional(timeout)
})

const isLogger = (value: unknown): value is HostLogger =>
  (["debug", "info", "warn", "error"] as const).every(
    (name) => Predicate.hasProperty(value, name) && typeof value[name] === "function"
  )

/** Returns whether a value has a text or a function for everything that tools say in English. */
const isTexts = (value: unknown): value is Texts =>
  Object.entries(english).every(
    ([name, inEnglish]) => Predicate.hasProperty(value, name) && typeof value[name] === typeof inEnglish
  )

const isAuthenticate = (value: unknown): value is NonNullable<GivenMountOptions["authenticate"]> =>
  typeof value === "function"

const isResolve = (value: unknown): value is NonNullable<GivenDashboardOptions["resolve"]> =>
  typeof value === "function"

const DashboardUrl = Schema.String.check(
  Schema.makeFilter((text: string) => /^https?:\/\/[^?#]+[^?#/]$/.test(text) && URL.canParse(text), {
    expected: 'a URL such as "https://app.example.com/dashboard"'
  })
)

const Origin = Schema.String.check(
  Schema.makeFilter((text: string) => isOrigin(text), { expected: 'an origin such as "https://app.example.com"' })
)

const SignInUrl = Schema.String.check(
  Schema.makeFilter((text: string) => isSignInUrl(text), {
    expected: 'a URL such as "https://app.example.com/sign-in", or a path such as "/sign-in"'
  })
)

const BelowMount = Schema.TemplateLiteral(["/", Schema.String])

const Dashboard = Schema.Struct({
  path: Schema.String.check(Schema.isPattern(/^(?:\/[\w.~-]+)+$/, { expected: 'a path such as "/dashboard"' })),
  origin: Schema.optional(Origin),
  resolve: Schema.optional(Schema.declare(isResolve, { expected: "a function" })),
  signInUrl: Schema.optional(SignInUrl),
  readOnly: Schema.optional(Schema.Boolean),
  files: Schema.optional(
    Schema.Struct({
      html: Schema.String,
      assets: Schema.Array(Schema.Struct({ path: BelowMount, contentType: Schema.String, text: Schema.String })),
      paths: Schema.Array(BelowMount)
    })
  )
})

const Options = Schema.Struct({
  storage: Storage,
  webhooks: Schema.optional(Webhooks),
  callProvider: Schema.optional(ProviderOptions.CallProvider),
  mail: Schema.optional(ProviderOptions.Mail),
  calendars: Schema.optional(ProviderOptions.Calendars),
  languages: Schema.optional(
    Schema.Array(Schema.declare(isTexts, { expected: "texts with every field of those in English" }))
  ),
  secretKeys: Schema.optional(ProviderOptions.SecretKeys),
  dashboardUrl: Schema.optional(DashboardUrl),
  logger: Schema.optional(
    Schema.declare(isLogger, { expected: "an object with the methods debug, info, warn and error" })
  ),
  workers: Schema.optionalKey(
    Schema.Union([Schema.Boolean, Schema.Array(Schema.Literals(workerNames)), Schema.Undefined])
  )
})

/** The options of a Frontdesk, decoded. */
export type Options = typeof Options.Type

const HeaderName = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9-]{1,64}$/, { expected: "1 to 64 letters, digits and hyphens" })
)

const MountOptions = Schema.Struct({
  authenticate: Schema.optional(Schema.declare(isAuthenticate, { expected: "a function" })),
  basePath: Schema.optional(Schema.String),
  corsOrigins: Schema.optional(Schema.Array(Schema.String)),
  dashboard: Schema.optional(Dashboard),
  docs: Schema.optional(Schema.Boolean),
  maxBodySize: Schema.optional(Count),
  mcpCallHeader: Schema.optional(HeaderName),
  rateLimit: Schema.optional(Schema.NullOr(Schema.Struct({ requests: Count, window: Schema.Duration })))
})

/** The options of a mount, decoded. */
export type MountOptions = typeof MountOptions.Type

/** Returns a function that decodes options. It throws a `FrontdeskError` that names each wrong option. */
export const decoder = <S extends Schema.ConstraintDecoder<unknown>>(schema: S): ((given: unknown) => S["Type"]) => {
  const type = Schema.toType(schema)
  const convert = Arguments.compile({ name: "options", schema: type })
  const decodeOptions = Schema.decodeUnknownResult(type, { errors: "all", onExcessProperty: "error" })
  return (given) => {
    const decoded = decodeOptions(convert(given))
    if (Result.isSuccess(decoded)) return decoded.success
    const problems = fromIssue(decoded.failure.issue)
    // Without a cause, which would show the password of a database.
    throw Failure.make(ErrorTable.withDetails("validation_error", problems))
  }
}

/** Returns the decoded options of `open`. */
export const decode = decoder(Options)

/** Returns the decoded options of a mount. */
export const decodeMount = decoder(MountOptions)

/** A PostgreSQL database: a pool of the program, or a URL. */
export type Database =
  | { readonly pool: HostPool; readonly schema: string }
  | { readonly url: string; readonly schema: string; readonly maxConnections: number | undefined }

/** Returns the PostgreSQL database of the options, or undefined when the storage is another one. */
export const databaseOf = ({ postgres }: Options["storage"]): Database | undefined => {
  if (postgres === undefined) return undefined
  const {
    maxConnections,
    pool,
    schema = PostgresSchema.defaultName,
    url = ""
  } = typeof postgres === "string" ? { url: postgres } : postgres
  return pool === undefined ? { url, schema, maxConnections } : { pool, schema }
}

/** Returns the storage for messages, without the user and password of a database. */
export const show = (storage: Options["storage"]): string => {
  const database = databaseOf(storage)
  if (database === undefined) return storage.sqlite ?? "memory"
  return "pool" in database ? "a pool of the program" : PostgresConfig.show({ url: Redacted.make(database.url) })
}
