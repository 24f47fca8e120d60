import { readFileSync } from "node:fs"
import * as Schema from "effect/Schema"

const Manifest = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))

/** The version of this package. */
export const version: string = Schema.decodeSync(Manifest)(
  readFileSync(new URL("../package.json", import.meta.url), "utf8")
).version
