import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import * as Schema from "effect/Schema"
import { expect, it } from "vitest"
import { acme, ask } from "../support/acme.ts"
import { receiver } from "../support/http.ts"
import { provision, serve } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"

const created = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int }))

const delivered = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.StructWithRest(Schema.Struct({ event_type: Schema.String }), [Schema.Record(Schema.String, Schema.Unknown)])
  )
)

const Document = Schema.Struct({
  webhooks: Schema.Record(
    Schema.String,
    Schema.Struct({
      post: Schema.Struct({
        requestBody: Schema.Struct({
          content: Schema.Struct({
            "application/json": Schema.Struct({ schema: Schema.Struct({ $ref: Schema.String }) })
          })
        })
      })
    })
  ),
  components: Schema.Record(Schema.String, Schema.Unknown)
})

/** Returns the validators of the payloads in the OpenAPI document of a server, which allow no further field. */
const validatorsOf = async (url: string): Promise<ReadonlyMap<string, ValidateFunction>> => {
  const document = await (await fetch(`${url}/openapi.json`)).json()
  const { components, webhooks } = Schema.decodeUnknownSync(Document)(document)
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: "openapi", components })
  return new Map(
    Object.entries(webhooks).map(([name, { post }]) => {
      const { $ref } = post.requestBody.content["application/json"].schema
      return [name, ajv.compile({ $ref: `openapi${$ref}`, unevaluatedProperties: false })]
    })
  )
}

it("a delivery of webhook.test and of a calendar event has exactly the payload of the OpenAPI document", async () => {
  const folder = temporaryFolder()
  const target = await receiver(204)
  await provision(folder, acme)
  const { url } = await serve(folder, { args: ["--webhook-allow-insecure"] })
  const webhook = { name: "Zoë", url: `${target.url}/hook`, subscribed_events: ["calendar.created"] }
  const { id } = created(await (await ask(url, "/api/v1/api/webhooks/create", webhook)).json())
  expect((await ask(url, `/api/v1/webhooks/${id}/test`, {})).status).toBe(200)
  const event = { title: "Visit", start_time: "2030-01-01T10:00:00", end_time: "2030-01-01T11:00:00" }
  expect((await ask(url, "/api/v1/calendar/events/create", event)).status).toBe(201)
  await expect.poll(() => target.received.length, { timeout: 20_000 }).toBe(2)

  const validators = await validatorsOf(url)
  const payloads = target.received.map(({ body }) => delivered(body.toString()))
  expect(payloads.map(({ event_type }) => event_type).toSorted()).toEqual(["calendar.created", "webhook.test"])
  expect(payloads).toContainEqual(expect.objectContaining({ event_type: "webhook.test", webhook: { id, name: "Zoë" } }))
  for (const payload of payloads) {
    const validate = validators.get(payload.event_type)
    if (validate === undefined) expect.fail(`The document has no payload of ${payload.event_type}`)
    expect([validate(payload), validate.errors]).toEqual([true, null])
    expect(validate({ ...payload, other: 1 })).toBe(false)
    for (const name of Object.keys(payload)) expect(validate({ ...payload, [name]: undefined })).toBe(false)
  }
})
