import * as RootCode from "@frontdesk/core/values/RootCode"
import { isSqlError } from "effect/sql/SqlError"

/** The codes for a file or folder that the process may not read or write: of the operating system, and of SQLite. */
const ofFile: ReadonlySet<unknown> = new Set(["EACCES", "EROFS", 3, 8])

/**
 * Returns what a program can do about a right that it lacks in its database, or for its file. It is empty when the message
 * of the error says it. Returns undefined for an error of another kind, which may pass without a change.
 */
export const of = (error: unknown): string | undefined => {
  const code = RootCode.of(error)
  if (ofFile.has(typeof code === "number" ? code & 0xff : code)) {
    return "The user of the process must be able to read and write the file and its folder"
  }
  // Before the migrations, only the session itself needs a right.
  if (code === "42501") {
    return isSqlError(error)
      ? "Grant the role CONNECT on the database"
      : "Grant the role SELECT, INSERT, UPDATE and DELETE on the tables of its schema. Only their owner can migrate them"
  }
  if (isSqlError(error) && error.reason._tag === "AuthorizationError") return ""
  // The login is rejected.
  return typeof code === "string" && /^28...$/.test(code) ? "" : undefined
}
