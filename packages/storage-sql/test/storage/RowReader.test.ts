import { describe, expect, it } from "@effect/vitest"
import * as Permission from "@frontdesk/core/access/Permission"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as fc from "fast-check"
import { FoundRow } from "@frontdesk/storage-sql/access/ApiKeyRow"
import { CalendarEventRow } from "@frontdesk/storage-sql/calendar-event/CalendarEventRow"
import * as Column from "@frontdesk/storage-sql/storage/Column"
import * as RowReader from "@frontdesk/storage-sql/storage/RowReader"
import { inCamelCase } from "@frontdesk/storage-sql/storage/ColumnNames"
import { withoutGeneratedCode } from "@frontdesk/testing/suite/withoutGeneratedCode"

/** Rows that stores read on every request. */
const event = {
  id: 1,
  uuid: "00000001-0000-4000-8000-000000000000",
  account_id: 2,
  title: "Demo",
  description: "",
  event_type: "appointment",
  status: "scheduled",
  start_time: 1_767_571_200_000,
  end_time: 1_767_573_000_000,
  location: null,
  has_video_conference: 1,
  video_conference_url: "",
  video_conference_provider: "",
  created_by_ai_agent: 0,
  is_reminder_enabled: 1,
  remind_before_minutes: 30,
  customer_name: "Jo",
  customer_email: "jo@example.com",
  customer_phone: "",
  customer_notes: "",
  contact_id: 4,
  ai_agent_id: 3,
  ai_agent: `{"id":3,"name":"Ada","assistantId":"asst_1"}`,
  agent_name: "Ada",
  agent_assistant_id: "asst_1",
  team_id: null,
  team_name: null,
  external_calendars: `{"google":{"id":"abc","revision":"1"}}`,
  external_calendars_status: "{}",
  notify_on_cancel: 0,
  invitation: null,
  sequence: 0,
  created_at: 0,
  updated_at: -1
}

const settings = {
  timeZone: "Europe/Berlin",
  workingHours: { mon: [["09:00", "17:00"]] },
  dateOverrides: { "2026-12-24": [] },
  slotIntervalMinutes: null,
  bufferBeforeMinutes: 0,
  bufferAfterMinutes: 15,
  minimumNoticeMinutes: 0,
  rejectConflicts: true,
  contactStatuses: ["new"],
  contactStages: null,
  pricePerMinute: 0,
  maxRunningCalls: 10
}

const key = {
  id: 1,
  account_id: 2,
  name: "",
  permissions: JSON.stringify(Permission.all),
  prefix: "fd_",
  expires_at: null,
  revoked_at: null,
  last_used_at: 1_767_571_200_000,
  previous_expires_at: null,
  created_at: 0,
  account_name: "Acme",
  account_role: "standard",
  account_partner_id: null,
  account_team_ids: "[1,2]",
  account_settings: JSON.stringify(settings),
  account_created_at: 0,
  is_current: 1
}

/** Columns of every other kind. */
const Other = Schema.Struct({
  amount: Schema.Finite,
  code: Schema.String.check(Schema.isMinLength(2), Schema.isMaxLength(4)),
  dueAt: Schema.NullOr(Column.Time),
  context: Column.json(Schema.Record(Schema.String, Schema.Json)),
  options: Schema.NullOr(Column.repeated(Schema.Array(Schema.String))),
  flag: Schema.Union([Column.Flag, Schema.Boolean]),
  only: Schema.Literal("this"),
  body: Schema.Uint8Array
})

const other = { amount: 1.5, code: "ab", due_at: null, context: "{}", options: null, flag: 1, only: "this" }

const NoneForUndefined = Schema.Undefined.pipe(
  Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode: () => "none", encode: () => undefined }))
)

const rows: ReadonlyArray<readonly [name: string, schema: RowReader.RowSchema, row: object]> = [
  ["a calendar event", CalendarEventRow, event],
  ["an API key", FoundRow, key],
  ["a row of other columns", Other, { ...other, body: new Uint8Array([1]) }]
]

/** Reads rows with generated code, and as where generating code is forbidden. */
const readers = [
  ["generated code", RowReader.compile],
  [
    "closures",
    <S extends RowReader.RowSchema>(...options: Parameters<typeof RowReader.compile<S>>) => {
      const readerOf = RowReader.compile(...options)
      return (columns: ReadonlyArray<string>) => withoutGeneratedCode(() => readerOf(columns))
    }
  ]
] as const

describe.each(readers)("a row reader of %s", (_, compile) => {
  const read = <S extends RowReader.RowSchema>(schema: S) => {
    const readerOf = compile(schema)
    return (row: object) => readerOf(Object.keys(row))(Object.values(row))
  }

  it.each(rows)("%s decodes to the same value as with its schema, without using the schema", (_, schema, row) => {
    const decoded = read(schema)(row)
    expect(decoded).toBeDefined()
    expect(decoded).toStrictEqual(bySchema(schema, row))
    expect(JSON.stringify(decoded)).toBe(JSON.stringify(bySchema(schema, row)))
  })

  it("reads each column by its name, in whatever order the statement returns them", () => {
    const reader = compile(Schema.Struct({ id: Schema.Int, accountName: Schema.String }))
    expect(reader(["other", "account_name", "id"])([true, "Acme", 7])).toStrictEqual({ id: 7, accountName: "Acme" })
    expect(reader(["id", "account_name"])([8, "Other"])).toStrictEqual({ id: 8, accountName: "Other" })
  })

  it("decodes the values that `toStored` returns", () => {
    const reader = compile(Schema.Struct({ flag: Column.Flag }), (value) => (value === true ? 1 : 0))
    expect(reader(["flag"])([true])).toStrictEqual({ flag: true })
  })

  it("is made once for an array of columns", () => {
    const readerOf = RowReader.compile(Column.Key)
    const columns = ["id"]
    expect(readerOf(columns)).toBe(readerOf(columns))
  })

  it("returns undefined for a struct without columns, an optional column, a record, and a missing column", () => {
    expect(read(Column.Found)({ id: 1 })).toBeUndefined()
    expect(read(Schema.Struct({ id: Schema.optionalKey(Schema.Int) }))({ id: 1 })).toBeUndefined()
    expect(read(Schema.Record(Schema.String, Schema.Int))({ id: 1 })).toBeUndefined()
    expect(read(Schema.Struct({ name: NoneForUndefined }))({})).toBeUndefined()
    expect(read(Schema.Struct({ name: NoneForUndefined }))({ name: undefined })).toBeUndefined()
  })

  it("a repeated document is decoded once for each text, and its value is frozen", () => {
    const decode = read(FoundRow)
    const [first, again] = [decode(key), decode({ ...key, id: 9 })]
    const changed = decode({ ...key, account_settings: JSON.stringify({ ...settings, timeZone: "UTC" }) })
    expect(first?.accountSettings).toBe(again?.accountSettings)
    expect(changed?.accountSettings.timeZone).toBe("UTC")
    expect(Object.isFrozen(first?.accountSettings)).toBe(true)
    expect(Object.isFrozen(first?.accountSettings.workingHours.mon?.[0])).toBe(true)
    expect(Object.isFrozen(first?.permissions)).toBe(true)
  })

  it("law: a document is decoded as with its schema, or left to the schema", () => {
    const field = fc.oneof(
      fc.boolean(),
      fc.string(),
      fc.constantFrom("scheduled", "cancelled", null, 1),
      fc.constant({})
    )
    const document = fc.record(
      {
        email: fc.oneof({ weight: 9, arbitrary: fc.string() }, { weight: 1, arbitrary: field }),
        isSent: fc.oneof({ weight: 9, arbitrary: fc.boolean() }, { weight: 1, arbitrary: field }),
        status: fc.oneof(
          { weight: 9, arbitrary: fc.constantFrom("scheduled", "cancelled") },
          { weight: 1, arbitrary: field }
        ),
        isAccepted: fc.oneof({ weight: 9, arbitrary: fc.boolean() }, { weight: 1, arbitrary: field }),
        told: fc.constantFrom({ title: "Demo" }, {}, 1),
        ["__proto__"]: field,
        unknown: field
      },
      { requiredKeys: [] }
    )
    const text = fc.oneof({ weight: 9, arbitrary: document.map((value) => JSON.stringify(value)) }, fc.string())
    const Row = Schema.Struct({ invitation: CalendarEventRow.fields.invitation })
    const decode = read(Row)
    const decodeBySchema = Schema.decodeUnknownResult(Row)
    let decoded = 0
    fc.assert(
      fc.property(text, (invitation) => {
        const bySchema = Result.getOrUndefined(decodeBySchema({ invitation }))
        const byReader = decode({ invitation })
        expect(byReader).toStrictEqual(bySchema)
        expect(JSON.stringify(byReader)).toBe(JSON.stringify(bySchema))
        decoded += Number(byReader !== undefined)
      })
    )
    expect(decoded).toBeGreaterThan(0)
  })

  it("any other document is decoded for each row", () => {
    const decode = read(Schema.Struct({ context: Column.json(Schema.Json) }))
    const row = { context: `{"a":1}` }
    expect(decode(row)?.context).not.toBe(decode(row)?.context)
  })

  it("a field with the name of a property of every object is a field of the record", () => {
    const decoded = read(Schema.Struct({ constructor: Schema.Int }))({ constructor: 1 })
    expect(decoded).toStrictEqual({ constructor: 1 })
  })

  describe("laws", () => {
    it.each(rows)(
      "%s with any values in its columns decodes exactly when its schema decodes it, to the same value",
      (...of) => {
        const [, schema, row] = of
        const decode = read(schema)
        fc.assert(
          fc.property(changes(Object.keys(row)), (changed) => {
            const given = { ...row, ...changed }
            expect(decode(given)).toStrictEqual(bySchema(schema, given))
          }),
          { numRuns: 1_000 }
        )
      }
    )

    it.each(rows)(
      "%s without one of its columns is decoded neither by the reader nor by the schema",
      (_, schema, row) => {
        for (const left of Object.keys(row)) {
          const given = Object.fromEntries(Object.entries(row).filter(([column]) => column !== left))
          expect(read(schema)(given)).toBeUndefined()
          expect(bySchema(schema, given)).toBeUndefined()
        }
      }
    )
  })
})

const bySchema = (schema: RowReader.RowSchema, row: object): unknown =>
  Result.getOrUndefined(Schema.decodeUnknownResult(schema)(inCamelCase(Object.keys(row), Object.values(row))))

/** Values for one to three columns: some are valid for the column, and some are not. */
const changes = (columns: ReadonlyArray<string>) =>
  fc.dictionary(fc.constantFrom(...columns), value, { minKeys: 1, maxKeys: 3, noNullPrototype: true })

const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, -1, 0, 1, 1.5, Number.NaN, Infinity, 2 ** 53, -(2 ** 53), 8.64e15, 8.64e15 + 1),
  fc.constantFrom("", "1", "meeting", "scheduled", "client", "this", "null", "[]", "{}", "{", "[1]", "[0]", `["a"]`),
  fc.constantFrom(JSON.stringify({ ...settings, timeZone: "Nowhere" }), `["can_read_calls"]`, `["can_fly"]`),
  fc.constantFrom({}, [], new Uint8Array(), 1n),
  fc.maxSafeInteger(),
  fc.double(),
  fc.string(),
  fc.uuid(),
  fc.json()
)
