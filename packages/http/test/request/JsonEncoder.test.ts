import { defaultSettings } from "@frontdesk/core/account/Accounts"
import * as JsonEncoder from "@frontdesk/core/values/JsonEncoder"
import { Api } from "@frontdesk/http/Api"
import { withoutGeneratedCode } from "@frontdesk/testing/suite/withoutGeneratedCode"
import * as Arbitrary from "effect/Arbitrary"
import * as DateTime from "effect/DateTime"
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

// The types that an endpoint encodes exist only in phantom fields.
const codec = (schema: Schema.Top) => Schema.make<Schema.Codec<unknown, unknown>>(schema.ast)

// Random texts are almost never valid dates, time zones or languages, so answers with them have a fixed value.
const availability = {
  userId: 1,
  startDate: "2026-03-09",
  endDate: "2026-03-10",
  durationMinutes: 30,
  timeZone: "UTC",
  availableSlots: [
    { start: "2026-03-09T09:00:00+00:00", end: "2026-03-09T09:30:00+00:00", durationMinutes: 30 },
    { start: "2026-03-10T09:00:00+00:00", end: "2026-03-10T09:30:00+00:00", durationMinutes: 30 }
  ],
  count: 2,
  truncated: true,
  nextStart: "2026-03-11T09:00:00+00:00",
  externalCalendars: { google: DateTime.makeUnsafe("2026-03-08T13:00:00.123Z") }
}

const externalBusy = {
  startDate: "2026-03-09",
  endDate: "2026-03-10",
  timeZone: "UTC",
  busyTimes: [{ start: "2026-03-09T09:00:00+00:00", end: "2026-03-09T09:30:00+00:00", providers: ["apple", "google"] }],
  count: 1,
  truncated: false,
  nextStart: null,
  externalCalendars: { google: DateTime.makeUnsafe("2026-03-08T13:00:00.123Z") },
  unavailable: ["outlook"]
}

const account = {
  id: 1,
  name: "Acme",
  role: "standard",
  teams: [{ id: 2, name: "Sales" }],
  ...defaultSettings,
  dateOverrides: { "2026-12-24": [["09:00", "12:00"]], "2026-12-25": [] },
  contactStatuses: ["new", "won"],
  pricePerMinute: 123_457,
  balance: 9_000_000_000_500_000,
  deposits: 9_000_000_000_500_001,
  charges: 1,
  reservations: 0,
  createdAt: DateTime.makeUnsafe("2026-03-08T13:00:00.123Z")
}

const figures = {
  calls: 3,
  answered: 2,
  minutes: 5,
  spend: 9_000_000_000_500_001,
  bookings: 1,
  deliveries: 7,
  failures: 1
}

const statistics = {
  startDate: "2026-03-09",
  endDate: "2026-03-09",
  timeZone: "UTC",
  isComplete: true,
  totals: figures,
  days: [{ date: "2026-03-09", ...figures }],
  agents: [
    { agent: { id: 7, name: "Ada", isArchived: false }, ...figures },
    { agent: { id: 8, name: null, isArchived: false }, ...figures },
    { agent: null, ...figures, spend: -1 }
  ]
}

const fixed: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["availability.find 200", availability],
  ["availability.busy 200", externalBusy],
  ["account.get 200", account],
  ["statistics.get 200", statistics],
  ["account.patch 200", { ...account, message: "Account updated" }]
])

describe("JsonEncoder of the answers of the API", () => {
  it.each(answers)("law: %s is encoded as by its schema", async (name, schema) => {
    const own = codec(schema)
    const encode = JsonEncoder.compile(own)
    const withoutCode = withoutGeneratedCode(() => JsonEncoder.compile(own))
    const sampled = Arbitrary.sampleEffect(Arbitrary.schema(Schema.toType(own)), { count: 25, size: 5, seed: 7 })
    const values = fixed.has(name) ? [fixed.get(name)] : await Effect.runPromise(sampled)
    expect(values.length).toBeGreaterThan(0)
    for (const value of values) {
      const expected: unknown = Schema.encodeUnknownSync(own)(value)
      expect(JSON.parse(JSON.stringify(encode(value)))).toEqual(JSON.parse(JSON.stringify(expected)))
      expect(JSON.stringify(withoutCode(value))).toBe(JSON.stringify(encode(value)))
    }
  })
})
