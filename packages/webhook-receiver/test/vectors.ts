import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { snakeCase } from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"

const Vector = snakeCase(
  Schema.Struct({
    name: Schema.String,
    secret: Schema.String,
    previousSecret: Schema.NullOr(Schema.String),
    body: Schema.String,
    signature: Schema.String,
    webhookId: Schema.String,
    webhookTimestamp: Schema.String,
    webhookSignature: Schema.String
  })
)

const path = createRequire(import.meta.url).resolve("@frontdesk/testing/vectors/signatures.json")

/** Requests with signatures that openssl has made. */
export const vectors = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Vector)))(readFileSync(path, "utf8"))
