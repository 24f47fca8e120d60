import { openApi } from "@frontdesk/http/openapi/Documentation"
import { describe, expect, it } from "vitest"
import * as Description from "./Description.ts"
import { documentTest } from "./documentTest.ts"

describe("an API in memory that receives 10,000 requests generated from its OpenAPI document", () => {
  documentTest(10_000)
})

describe("the OpenAPI document", () => {
  it("has a schema that a validator accepts for every parameter, body and answer", () => {
    const { operations } = Description.read(JSON.parse(JSON.stringify(openApi())))
    const all = operations.flatMap(({ answers, body, parameters }) => [
      ...parameters.map(({ validate }) => validate),
      ...(body === null ? [] : [body.validate]),
      ...[...answers.values()].flatMap(({ validate }) => validate ?? [])
    ])
    expect(all.length).toBeGreaterThan(operations.length)
  })
})
