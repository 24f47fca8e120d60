import { CreateCalendarEvent } from "@frontdesk/core/calendar-event/CalendarEventInput"
import { PatchContact, PutContact } from "@frontdesk/core/contact/ContactInput"
import * as Wire from "@frontdesk/core/values/Wire"
import { CreateVariable } from "@frontdesk/core/variable/VariableInput"
import { openApi } from "@frontdesk/http/openapi/Documentation"
import * as ContactArbitrary from "@frontdesk/testing/arbitrary/contact"
import * as VariableArbitrary from "@frontdesk/testing/arbitrary/variable"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Description from "./Description.ts"
import { documentTest } from "./documentTest.ts"

describe("an API in memory that receives 1,000 requests generated from its OpenAPI document", () => {
  documentTest(1_000)
})

describe("the OpenAPI document", () => {
  const { operations } = Description.read(JSON.parse(JSON.stringify(openApi())))
  const permits = (method: string, path: string, body: unknown): boolean => {
    const described = operations.find((operation) => operation.method === method && operation.path === path)?.body
    if (described === null || described === undefined) return expect.fail(`${method} ${path} has no body`)
    return described.validate(body)
  }

  it.each([
    [
      "PUT",
      "/api/v1/contacts/{contact_id}/update",
      ContactArbitrary.contactPut().map(Schema.encodeSync(Wire.snakeCase(PutContact)))
    ],
    [
      "PATCH",
      "/api/v1/contacts/{contact_id}/update",
      ContactArbitrary.contactAndPatch().map(([, patch]) => Schema.encodeSync(Wire.snakeCase(PatchContact))(patch))
    ],
    [
      "POST",
      "/api/v1/context-variables/create",
      VariableArbitrary.variableCreate().map(Schema.encodeSync(Wire.snakeCase(CreateVariable)))
    ]
  ] as const)("law: permits every body of %s %s that no rule refuses", (method, path, bodies) => {
    fc.assert(fc.property<[unknown]>(bodies, (body) => permits(method, path, body)))
  })

  it.each([
    ["", true],
    ["jo@münchen.de", true],
    ["jo@example", false],
    [" ", false]
  ])("states of the customer's e-mail address %j: permitted %j", (customer_email, isPermitted) => {
    const event = { title: "Demo", start_time: "2026-03-02T10:00", end_time: "2026-03-02T11:00", customer_email }
    expect(Schema.is(Wire.snakeCase(CreateCalendarEvent).from)(event)).toBe(isPermitted)
    expect(permits("POST", "/api/v1/calendar/events/create", event)).toBe(isPermitted)
  })
})
