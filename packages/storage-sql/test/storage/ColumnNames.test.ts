import { expect, it } from "@effect/vitest"
import { inCamelCase } from "@frontdesk/storage-sql/storage/ColumnNames"

it("columns are renamed to camelCase", () => {
  expect(inCamelCase({ id: 1, created_by_ai_agent: 0 })).toEqual({ id: 1, createdByAiAgent: 0 })
})
