import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Reader } from "./Codecs.ts"

/** Where the data is kept: a SQLite file, or a SQLite database in memory that ends with the process. */
export const DatabaseUrl = Schema.TaggedUnion({
  File: { path: Schema.NonEmptyString },
  Memory: {}
})

/** Where the data is kept. */
export type DatabaseUrl = typeof DatabaseUrl.Type

/** Reads `sqlite:PATH` and `sqlite::memory:`. */
export const parse: Reader<DatabaseUrl> = (text) => {
  if (/^postgres(ql)?:/i.test(text)) {
    return Result.fail("sqlite:PATH or sqlite::memory:. PostgreSQL storage is not part of this version")
  }
  if (text === "sqlite::memory:") return Result.succeed({ _tag: "Memory" })
  const path = text.replace(/^sqlite:/, "")
  // Two slashes would be a host, which a file has not.
  const isPath = path !== text && path !== "" && !/^(\/\/[^/]|:)/.test(path)
  return isPath ? Result.succeed({ _tag: "File", path }) : Result.fail("sqlite:PATH or sqlite::memory:")
}
