import { describe, expect, it } from "@effect/vitest"
import { StorageError } from "@frontdesk/core/storage/StorageError"

describe("StorageError", () => {
  it.each([
    ["unavailable", true],
    ["conflict", true],
    ["duplicate", false],
    ["corrupt", false],
    ["unknown", false]
  ] as const)("an error with the reason %s is retryable: %s", (reason, isRetryable) => {
    const error = new StorageError({ reason, operation: "contacts.insert", cause: "x" })
    expect(error).toMatchObject({ reason, operation: "contacts.insert", isRetryable })
  })
})
