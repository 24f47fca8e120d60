import { expect, it } from "@effect/vitest"
import { inCamelCase } from "@frontdesk/storage-sql/storage/ColumnNames"

it("a row becomes a record with its columns in camelCase, without columns that are undefined", () => {
  const columns = ["id", "created_by_ai_agent", "start_time"]
  expect(inCamelCase(columns, [1, 0, undefined])).toStrictEqual({ id: 1, createdByAiAgent: 0 })
})
