import { permissions } from "@frontdesk/core/access/Operation"
import { WebhookEventName } from "@frontdesk/core/webhook/WebhookEvent"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answered, makeWorld, type World } from "../world.ts"

const Spec = Schema.Struct({
  openapi: Schema.String,
  paths: Schema.Record(
    Schema.String,
    Schema.Record(
      Schema.String,
      Schema.Struct({
        operationId: Schema.String,
        deprecated: Schema.optionalKey(Schema.Boolean),
        parameters: Schema.Array(
          Schema.Struct({
            name: Schema.String,
            in: Schema.String,
            required: Schema.Boolean,
            schema: Schema.Record(Schema.String, Schema.Unknown)
          })
        ),
        requestBody: Schema.optionalKey(Schema.Struct({ required: Schema.Boolean })),
        responses: Schema.Record(Schema.String, Schema.Unknown),
        security: Schema.optionalKey(Schema.Unknown)
      })
    )
  ),
  components: Schema.Struct({
    schemas: Schema.Record(Schema.String, Schema.Unknown),
    securitySchemes: Schema.Unknown
  }),
  security: Schema.Unknown
})

describe("the OpenAPI document", () => {
  let world: World
  let answer: Answered
  let spec: typeof Spec.Type
  beforeAll(async () => {
    world = await makeWorld()
    answer = await world.ask("/openapi.json")
    spec = Schema.decodeUnknownSync(Spec)(answer.json)
  })
  afterAll(() => world.close())

  const operations = () =>
    Object.entries(spec.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation }))
    )

  it("needs no key and is OpenAPI 3.1", () => {
    expect([answer.status, answer.headers.get("content-type"), spec.openapi]).toEqual([
      200,
      "application/json",
      "3.1.0"
    ])
  })

  it("has every operation once, and the further paths of the webhook's creation", () => {
    const ids = operations().map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !/\.\d$/.test(id)).toSorted()).toEqual(Object.keys(permissions).toSorted())
    expect(spec.paths["/api/webhooks/create"]?.["post"]?.deprecated).toBe(true)
    expect(spec.paths["/api/v1/webhooks/create"]?.["post"]?.deprecated).toBe(false)
  })

  it("whole numbers in paths and queries are integers with their bounds", () => {
    const schema = (path: string, name: string) =>
      spec.paths[path]?.["get"]?.parameters.find((parameter) => parameter.name === name)?.schema
    expect(schema("/api/v1/contacts/{contact_id}", "contact_id")).toEqual({ type: "integer", exclusiveMinimum: 0 })
    expect(schema("/api/v1/calendar/events", "page")).toMatchObject({ type: "integer", minimum: 1 })
    expect(schema("/api/v1/calendar/availability", "duration")).toEqual({ type: "integer", minimum: 1, maximum: 180 })
    expect(spec.components.schemas["CalendarDate"]).toMatchObject({ type: "string", format: "date" })
  })

  it("names of variables have their pattern, events of a webhook their names, and a grace time may be null", () => {
    expect(spec.components.schemas["VariableName"]).toMatchObject({ pattern: "^[a-z0-9_]{1,64}$" })
    const items = JSON.stringify({ enum: WebhookEventName.literals })
    for (const name of ["WebhookCreate", "WebhookPut", "WebhookPatch"]) {
      expect(JSON.stringify(spec.components.schemas[name])).toContain(items)
    }
    expect(JSON.stringify(spec.components.schemas["WebhookSecretRotation"])).toContain('{"type":"null"}')
  })

  it("components have plain names, and every reference has its component", () => {
    const names = Object.keys(spec.components.schemas)
    expect(names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name) || /Encoded/.test(name))).toEqual([])
    const references = new Set(answer.text.match(/(?<=#\/components\/schemas\/)\w+/g))
    expect([...references].filter((name) => !names.includes(name))).toEqual([])
  })

  it("extra keys are not said to be refused", () => {
    expect(answer.text).not.toContain('"additionalProperties":false')
  })

  it("every operation needs the key, but the one with a signed link", () => {
    expect(spec.security).toEqual([{ bearer: [] }])
    expect(spec.components.securitySchemes).toEqual({ bearer: { type: "http", scheme: "bearer" } })
    const open = operations().filter(({ security }) => security !== undefined)
    expect(open.map(({ operationId, security }) => [operationId, security])).toEqual([
      ["events.ics", [{ bearer: [] }, {}]]
    ])
  })

  it("every operation has its errors, with the one body", () => {
    const expected = { GET: ["401", "403", "405", "429", "500", "503"], POST: ["409", "413", "415", "422"] }
    for (const { method, responses } of operations()) {
      const statuses = Object.keys(responses)
      expect(statuses).toEqual(expect.arrayContaining(expected.GET))
      if (method === "post") expect(statuses).toEqual(expect.arrayContaining(expected.POST))
    }
    expect(spec.components.schemas["Error"]).toMatchObject({
      properties: { error: { type: "string" }, message: { type: "string" }, details: { type: "array" } },
      required: ["error", "message"]
    })
    expect(answer.text).not.toContain("_tag")
  })

  it("every POST takes an Idempotency-Key, and a body is required where a field of it is", () => {
    for (const { method, operationId, parameters, requestBody } of operations()) {
      expect(parameters.some(({ name }) => name === "Idempotency-Key")).toBe(method === "post")
      if (requestBody === undefined) continue
      const optional =
        /^(contacts|variables\.(put|patch)|events\.(put|patch|cancel)|webhooks\.(patch|rotateSecret))\b/.test(
          operationId
        )
      expect([operationId, requestBody.required]).toEqual([operationId, !optional])
    }
  })
})

describe("the documentation page", () => {
  it("needs no key, is HTML, and loads nothing from anywhere", async () => {
    const world = await makeWorld()
    const page = await world.ask("/docs")
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html"])
    expect(page.text).toContain("createApiReference")
    expect(page.text).toContain("/api/v1/calendar/availability")
    // Outside of the script that is part of the page no tag names an address.
    const tags = page.text.replaceAll(/<script>[^]*?<\/script>/g, "")
    expect(tags).not.toMatch(/\b(?:src|href)\s*=/)
    expect(tags).not.toContain("http")
    await world.close()
  })

  it("both can be turned off", async () => {
    const world = await makeWorld("memory", { docs: false })
    expect((await world.ask("/docs")).status).toBe(404)
    expect((await world.ask("/openapi.json")).status).toBe(404)
    await world.close()
  })
})
