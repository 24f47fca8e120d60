import { Api } from "@frontdesk/http/Api"
import * as Encoder from "@frontdesk/http/request/Encoder"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const answers: Array<readonly [string, Schema.Top]> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group, successes }) => {
    for (const [status, schemas] of successes) {
      for (const schema of schemas) answers.push([`${group.identifier}.${endpoint.identifier} ${status}`, schema])
    }
  }
})

// An endpoint keeps the types of its schemas in phantom fields alone.
const codec = (schema: Schema.Top) => Schema.make<Schema.Codec<unknown, unknown>>(schema.ast)

describe("the encoder of answers", () => {
  it.each(answers)("%s is encoded as its schema does", async (_name, schema) => {
    const own = codec(schema)
    const encode = Encoder.compile(own)
    const values = await Effect.runPromise(
      Arbitrary.sampleEffect(Arbitrary.schema(Schema.toType(own)), { count: 25, size: 5, seed: 7 })
    )
    expect(values).toHaveLength(25)
    for (const value of values) {
      const expected: unknown = Schema.encodeUnknownSync(own)(value)
      expect(JSON.parse(JSON.stringify(encode(value)))).toEqual(JSON.parse(JSON.stringify(expected)))
    }
  })
})
