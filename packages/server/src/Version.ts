import { readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"
import * as Schema from "effect/Schema"

const Manifest = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))

/** The version in `package.json` of this package, for example `0.1.0`. */
export const version: string = Schema.decodeSync(Manifest)(
  // A bundle is deeper inside the package than this module.
  readFileSync(findPackageJSON(import.meta.url) ?? "", "utf8")
).version
