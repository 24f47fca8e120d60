import { StorageError } from "@frontdesk/core/storage/StorageError"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { describe, expect, it } from "vitest"
import { fromSql, fromStorage } from "frontdesk/cli/CommandFailure"
import type { DatabaseUrl } from "frontdesk/settings/DatabaseUrl"

const database: DatabaseUrl = { _tag: "File", path: "/data/frontdesk.db" }

const sqlError = (fields: object, message: string): SqlError =>
  new SqlError({
    reason: new ConnectionError({ message, operation: "open", cause: Object.assign(new Error(message), fields) })
  })

const disk = "The database /data/frontdesk.db cannot be written: "

describe("the message for an error of the disk", () => {
  it.each([
    ["SQLITE_FULL", { code: "ERR_SQLITE_ERROR", errcode: 13 }, "the disk is full, or a quota"],
    [
      "SQLITE_IOERR_WRITE",
      { code: "ERR_SQLITE_ERROR", errcode: 778 },
      "the disk is full or failing (message of the disk)"
    ],
    ["SQLITE_READONLY", { code: "ERR_SQLITE_ERROR", errcode: 8 }, "the file or its folder is read-only"],
    ["ENOSPC", { code: "ENOSPC" }, "the disk is full, or a quota"],
    ["EFBIG", { code: "EFBIG" }, "the disk is full, or a quota"],
    ["EROFS", { code: "EROFS" }, "the file or its folder is read-only"]
  ])("%s explains that the database cannot be written and what to do", (_, fields, problem) => {
    const error = sqlError(fields, "message of the disk")
    const stored = new StorageError({ reason: "unavailable", operation: "SqlMigrations.migrate", cause: error })
    for (const { text } of [fromSql(database)(error), fromStorage(database)(stored)]) {
      expect(text).toContain(disk + problem)
      expect(text).toContain("or name a file on another disk with --database-url (FRONTDESK_DATABASE_URL)")
      expect(text).not.toContain("too busy")
    }
  })

  it("does not mention a full disk after a read error", () => {
    const error = sqlError({ code: "ERR_SQLITE_ERROR", errcode: 266 }, "disk I/O error")
    expect(fromSql(database)(error).text).toContain("The database /data/frontdesk.db cannot be opened: disk I/O error")
  })

  it("is not used for a refused connection or a busy database", () => {
    expect(fromSql(database)(sqlError({ code: "ECONNREFUSED" }, "refused")).text).toContain("cannot be opened: refused")
    const busy = sqlError({ code: "ERR_SQLITE_ERROR", errcode: 5 }, "database is locked")
    expect(
      fromStorage(database)(new StorageError({ reason: "unavailable", operation: "x", cause: busy })).text
    ).toContain("cannot be reached, or is too busy: database is locked")
  })
})
