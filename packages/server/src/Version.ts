import { readFileSync } from "node:fs"
import * as Schema from "effect/Schema"

const Manifest = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))

/** The version in `package.json` of this package, for example `0.1.0`. */
export const version: string = Schema.decodeSync(Manifest)(
  readFileSync(new URL("../package.json", import.meta.url), "utf8")
).version
