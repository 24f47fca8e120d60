import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as OutboxWorkColumn from "@frontdesk/storage-sql/outbox/OutboxWorkColumn"
import { undecoded } from "@frontdesk/storage-sql/storage/DatabaseFailure"

describe("a document that does not decode", () => {
  it.each(['{"_tag":"Later","secret":"hunter2"}', "{", "[]"])("has an error that shows no part of it: %s", (text) => {
    const found = OutboxWorkColumn.decode(text)
    if (Result.isSuccess(found)) throw new Error("The document decodes")
    expect(undecoded("OutboxStore.claim")(found.failure).cause).toBe("does not decode: the whole value")
  })
})
