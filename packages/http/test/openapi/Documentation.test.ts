import { permissions } from "@frontdesk/core/access/Permission"
import { WebhookEventName } from "@frontdesk/core/webhook-event/WebhookEventName"
import { BasePath } from "@frontdesk/core/values/BasePath"
import { CurrentDeliverySettings, DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { allCodes, statusOf } from "@frontdesk/http/ErrorCode"
import { type TestAnswer, makeTestApi, storageLayers, type TestApi } from "../testApi.ts"

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
  webhooks: Schema.Record(
    Schema.String,
    Schema.Struct({
      post: Schema.Struct({
        parameters: Schema.Array(Schema.Struct({ $ref: Schema.String })),
        requestBody: Schema.Struct({
          content: Schema.Struct({
            "application/json": Schema.Struct({ schema: Schema.Struct({ $ref: Schema.String }) })
          })
        })
      })
    })
  ),
  components: Schema.Struct({
    schemas: Schema.Record(Schema.String, Schema.Unknown),
    parameters: Schema.Record(Schema.String, Schema.Struct({ name: Schema.String })),
    securitySchemes: Schema.Unknown
  }),
  security: Schema.Unknown
})

/** What the payloads of webhook events have beside their name and time, by the first word of the name. */
const records: { readonly [kind: string]: object } = {
  call: { call: { $ref: "#/components/schemas/WebhookCall" } },
  calendar: { calendar_event: { $ref: "#/components/schemas/WebhookCalendarEvent" } },
  webhook: { webhook: { required: ["id", "name"] } }
}

/** Returns whether an operation takes an `Idempotency-Key` if it is a POST. */
const takesKey = (operationId: string): boolean =>
  !operationId.startsWith("externalCalendars.") &&
  !["contactErasures.erase", "webhooks.redeliverFailed"].includes(operationId)

describe("the OpenAPI document", () => {
  let api: TestApi
  let answer: TestAnswer
  let spec: typeof Spec.Type
  beforeAll(async () => {
    api = await makeTestApi()
    answer = await api.ask("/openapi.json")
    spec = Schema.decodeUnknownSync(Spec)(answer.json)
  })
  afterAll(() => api.close())

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

  it("has every operation once, and the aliases of the path that creates webhooks", () => {
    const ids = operations().map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !/\.\d$/.test(id)).toSorted()).toEqual(Object.keys(permissions).toSorted())
    expect(spec.paths["/api/webhooks/create"]?.["post"]?.deprecated).toBe(true)
    expect(spec.paths["/api/v1/webhooks/create"]?.["post"]?.deprecated).toBe(false)
  })

  it("describes whole numbers in paths and queries as integers with their bounds", () => {
    const schema = (path: string, name: string) =>
      spec.paths[path]?.["get"]?.parameters.find((parameter) => parameter.name === name)?.schema
    expect(schema("/api/v1/contacts/{contact_id}", "contact_id")).toEqual({
      type: "integer",
      exclusiveMinimum: 0,
      exclusiveMaximum: 1e16
    })
    expect(schema("/api/v1/calendar/events", "page")).toMatchObject({ type: "integer", minimum: 1 })
    expect(schema("/api/v1/calendar/availability", "duration")).toEqual({ type: "integer", minimum: 1, maximum: 180 })
    expect(spec.components.schemas["CalendarDate"]).toMatchObject({ type: "string", format: "date" })
  })

  it("has the pattern of variable names, the names of webhook events, and a grace time that may be null", () => {
    expect(spec.components.schemas["VariableName"]).toMatchObject({ pattern: "^[a-z0-9_]{1,64}$" })
    const items = `"enum":${JSON.stringify(WebhookEventName.literals)}`
    for (const name of ["CreateWebhook", "PutWebhook", "PatchWebhook"]) {
      expect(JSON.stringify(spec.components.schemas[name])).toContain(items)
    }
    expect(JSON.stringify(spec.components.schemas["WebhookSecretRotation"])).toContain('{"type":"null"}')
  })

  it("has component names without suffixes, and a component for every reference", () => {
    const names = Object.keys(spec.components.schemas)
    expect(names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name) || /Encoded/.test(name))).toEqual([])
    const references = new Set(answer.text.match(/(?<=#\/components\/schemas\/)\w+/g))
    expect([...references].filter((name) => !names.includes(name))).toEqual([])
  })

  it("allows unknown keys in all bodies but those that select what is ended or repeated (D-HTTP-2)", () => {
    const refusing = Object.entries(spec.components.schemas).filter(([, schema]) =>
      JSON.stringify(schema).includes('"additionalProperties":false')
    )
    expect(refusing.map(([name]) => name).toSorted()).toEqual(["EndSessions", "RetryTasks", "RetryTasksOfAccounts"])
    expect(answer.text.split('"additionalProperties":false')).toHaveLength(4)
  })

  it("requires a key for every operation except the one with signed links", () => {
    expect(spec.security).toEqual([{ bearer: [] }])
    expect(spec.components.securitySchemes).toEqual({
      bearer: { type: "http", scheme: "bearer", description: "An API key of the account" }
    })
    const open = operations().filter(({ security }) => security !== undefined)
    expect(open.map(({ operationId, security }) => [operationId, security])).toEqual([
      ["events.ics", [{ bearer: [] }, {}]]
    ])
  })

  it("has the errors of every operation, with the same body", () => {
    // 408, 413, 417 and 431 can occur before the operation is known.
    const expected = {
      GET: ["400", "401", "403", "405", "408", "413", "417", "429", "431", "500", "503"],
      POST: ["409", "415", "422"]
    }
    for (const { method, operationId, responses } of operations()) {
      const statuses = Object.keys(responses)
      expect(statuses).toEqual(expect.arrayContaining(expected.GET))
      for (const [status, answer] of Object.entries(responses)) {
        if (Number(status) >= 400) expect(JSON.stringify(answer)).toContain('"#/components/schemas/Error"')
      }
      if (method !== "post") continue
      expect(statuses).toEqual(expect.arrayContaining(takesKey(operationId) ? expected.POST : ["415"]))
    }
    expect(spec.components.schemas["Error"]).toMatchObject({
      properties: { error: { type: "string" }, message: { type: "string" }, details: { type: "array" } },
      required: ["error", "message"]
    })
    expect(answer.text).not.toContain("_tag")
  })

  it("lists the codes of every error, each of which has the status of its answer", () => {
    const Codes = Schema.Struct({
      content: Schema.Struct({
        "application/json": Schema.Struct({
          schema: Schema.Struct({
            allOf: Schema.Tuple([
              Schema.Unknown,
              Schema.Struct({
                properties: Schema.Struct({ error: Schema.Struct({ enum: Schema.Array(Schema.Literals(allCodes)) }) })
              })
            ])
          })
        })
      })
    })
    // The server answers these before it knows the operation, with codes that otherwise have another status.
    const early = new Set(["408", "413", "417", "431"])
    for (const { responses } of operations()) {
      for (const [status, response] of Object.entries(responses)) {
        if (Number(status) < 400) continue
        const { content } = Schema.decodeUnknownSync(Codes)(response)
        const codes = content["application/json"].schema.allOf[1].properties.error.enum
        expect(codes.length).toBeGreaterThan(0)
        if (!early.has(status)) expect(codes.map(statusOf)).toEqual(codes.map(() => Number(status)))
      }
    }
  })

  it("describes the payload and the headers of each webhook event", () => {
    expect(Object.keys(spec.webhooks)).toEqual([...WebhookEventName.literals, "webhook.test"])
    for (const [name, { post }] of Object.entries(spec.webhooks)) {
      const headers = post.parameters.map(({ $ref }) => $ref.replace("#/components/parameters/", ""))
      expect(headers.map((header) => spec.components.parameters[header]?.name)).toEqual([
        "X-Service-Signature",
        "X-Service-Delivery-ID",
        "X-Service-Event",
        "webhook-id",
        "webhook-timestamp",
        "webhook-signature"
      ])
      const reference = post.requestBody.content["application/json"].schema.$ref
      const [kind = ""] = name.split(".")
      expect(spec.components.schemas[reference.replace("#/components/schemas/", "")]).toMatchObject({
        properties: { event_type: { const: name }, ...records[kind], timestamp: { format: "date-time" } }
      })
    }
  })

  it("names the base path without a slash at its end, which clients would repeat, and the prefix of the headers", async () => {
    expect(answer.json["servers"]).toEqual([{ url: "" }])
    const settings = Layer.succeedContext(
      Context.make(BasePath, "/voice").pipe(
        Context.add(CurrentDeliverySettings, new DeliverySettings({ headerPrefix: "X-Acme-" }))
      )
    )
    const other = await makeTestApi(Layer.merge(storageLayers.memory, settings))
    const { json, text } = await other.ask("/openapi.json")
    expect(json["servers"]).toEqual([{ url: "/voice" }])
    expect(text).toContain('"X-Acme-Signature"')
    expect(text).not.toContain("X-Service-")
    await other.close()
  })

  it("is the same text in each installation with the same settings", async () => {
    const again = await makeTestApi()
    expect((await again.ask("/openapi.json")).text).toBe(answer.text)
    await again.close()
  })

  it("allows any key where any key is stored, and times without an offset", () => {
    expect(spec.components.schemas["CreateContact"]).toMatchObject({
      properties: { custom_context: { anyOf: [{ type: "object", additionalProperties: true }, { type: "null" }] } }
    })
    const time = Schema.Struct({
      properties: Schema.Struct({ start_time: Schema.Struct({ type: Schema.String, pattern: Schema.String }) })
    })
    const { pattern } = Schema.decodeUnknownSync(time)(spec.components.schemas["CalendarEventCreate"]).properties
      .start_time
    for (const text of ["2026-03-02T10:00", "2026-03-02T10:00:00.5+02:00", "2026-03-02T10:00:00Z"]) {
      expect(text).toMatch(new RegExp(pattern))
    }
    expect("2026-03-02 10:00").not.toMatch(new RegExp(pattern))
  })

  it("shows the tool calls of a call in its own answer, and not in lists, starts and hang-ups", () => {
    const { schemas } = spec.components
    expect(schemas["CallDetail"]).toMatchObject({
      properties: { tool_calls: { type: "array", items: { $ref: "#/components/schemas/ToolCall" } } },
      required: expect.arrayContaining(["id", "transcript", "tool_calls"]) as unknown
    })
    expect(schemas["ToolCall"]).toMatchObject({
      properties: { name: { type: "string" }, duration_ms: { type: "integer" }, at: { format: "date-time" } },
      required: ["name", "arguments", "answer", "duration_ms", "at"]
    })
    expect(JSON.stringify(spec.paths["/api/v1/calls/{call_id}"]?.["get"]?.responses)).toContain("schemas/CallDetail")
    for (const name of ["Call", "CallStarted", "CallHungUp"]) {
      expect(schemas[name]).not.toHaveProperty("properties.tool_calls")
    }
  })

  it("has no rules in an allOf, and no equal members of an anyOf", () => {
    const problems: Array<unknown> = []
    const visit = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return
      const { allOf, anyOf }: { readonly allOf?: unknown; readonly anyOf?: unknown } = value
      if (allOf !== undefined && !JSON.stringify(allOf).includes("schemas/Error")) problems.push(value)
      if (Array.isArray(anyOf) && new Set(anyOf.map((member) => JSON.stringify(member))).size !== anyOf.length) {
        problems.push(value)
      }
      Object.values(value).forEach(visit)
    }
    visit(answer.json)
    expect(problems).toEqual([])
  })

  it("has an Idempotency-Key for every POST but those of external calendars, erasures and failed deliveries, and requires a body if the body has a required field", () => {
    for (const { method, operationId, parameters, requestBody } of operations()) {
      expect(parameters.some(({ name }) => name === "Idempotency-Key")).toBe(method === "post" && takesKey(operationId))
      if (requestBody === undefined) continue
      const optional =
        /^(agents\.patch|contacts|contactImports\.create|variables\.(put|patch)|events\.(put|patch|cancel)|webhooks\.(patch|rotateSecret)|apiKeys\.rotate|members\.patch|sessions\.deleteAll|signInLinks\.create|account\.patch|tasks\.retryAll|operator\.retryTasks)\b/.test(
          operationId
        )
      expect([operationId, requestBody.required]).toEqual([operationId, !optional])
    }
  })
})
