import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  ConnectionError,
  ConstraintError,
  DeadlockError,
  LockTimeoutError,
  SerializationError,
  SqlError,
  SqlSyntaxError,
  StatementTimeoutError,
  UniqueViolation,
  UnknownError
} from "effect/sql/SqlError"
import { failed, undecoded } from "@frontdesk/storage-sql/storage/DatabaseFailure"

describe("a failure of the database", () => {
  const cause = { cause: "the cause" }
  it.each([
    ["unavailable", new ConnectionError(cause)],
    ["unavailable", new LockTimeoutError(cause)],
    ["unavailable", new StatementTimeoutError(cause)],
    ["conflict", new DeadlockError(cause)],
    ["conflict", new SerializationError(cause)],
    ["duplicate", new UniqueViolation({ ...cause, constraint: "account.name" })],
    ["unknown", new ConstraintError(cause)],
    ["unknown", new SqlSyntaxError(cause)],
    ["unknown", new UnknownError(cause)],
    ...["53000", "53300", "57P01", "57P03", "25P03", "25006"].map(
      (code) => ["unavailable", new UnknownError({ cause: { code } })] as const
    ),
    ...["22003", "25P02", "XX000"].map((code) => ["unknown", new UnknownError({ cause: { code } })] as const)
  ] as const)(
    "becomes a StorageError with the reason %s, which determines whether it is retryable: %o",
    (reason, sqlReason) => {
      const error = failed("AccountStore.find")(new SqlError({ reason: sqlReason }))
      expect(error).toMatchObject({ reason, operation: "AccountStore.find" })
      expect(error.isRetryable).toBe(reason === "unavailable" || reason === "conflict")
    }
  )
})

describe("a row that does not decode", () => {
  it("is corrupt, and the error names the column without its value", () => {
    const rows = Schema.Array(Schema.Struct({ secret: Schema.Int }))
    const result = Schema.decodeUnknownResult(rows)([{ secret: 1 }, { secret: "hunter2" }])
    const error = Result.isFailure(result) ? undecoded("ApiKeyStore.find")(result.failure) : undefined
    expect(error).toMatchObject({ reason: "corrupt", operation: "ApiKeyStore.find" })
    expect(error?.cause).toBe("does not decode: 1.secret")
  })
})
