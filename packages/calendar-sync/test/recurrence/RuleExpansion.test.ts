import { readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import ICAL from "ical.js"
import { Budget } from "../../src/recurrence/StepBudget.ts"
import { wallOf } from "../../src/recurrence/IcsTime.ts"
import { occurrences } from "../../src/recurrence/RuleExpansion.ts"
import { rulesOf } from "../../src/recurrence/RecurrenceRuleParser.ts"
import { utc } from "../../src/recurrence/IcsZone.ts"

const Vector = Schema.Struct({
  rule: Schema.String,
  start: Schema.String,
  from: Schema.String,
  until: Schema.String,
  occurrences: Schema.Array(Schema.String)
})

/** The results of another library: python-dateutil 2.9. */
const vectors = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Vector)))(
  readFileSync(new URL("rules.json", import.meta.url), "utf8")
)

const expanded = (rule: string, start: string, from: string, until: string, budget = new Budget()) => {
  const component = ICAL.Component.fromString(`BEGIN:VEVENT\r\nDTSTART:${start}\r\nRRULE:${rule}\r\nEND:VEVENT\r\n`)
  const dtstart = component.getFirstPropertyValue("dtstart")
  if (!(dtstart instanceof ICAL.Time)) throw new Error("no start")
  return rulesOf(component, { wall: wallOf(dtstart), zone: utc, isDate: dtstart.isDate }).flatMap((rule) =>
    occurrences(rule, wallOf(dtstart), Date.parse(from), Date.parse(until), budget).map((wall) =>
      new Date(wall).toISOString().replace(".000", "")
    )
  )
}

it.each(vectors)("$rule from $start has the occurrences that another library finds", (vector) => {
  expect(expanded(vector.rule, vector.start, vector.from, vector.until)).toEqual(vector.occurrences)
})

it.each([
  ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "20200101T000000"],
  ["FREQ=SECONDLY;INTERVAL=999999999999", "19700101T000000"],
  ["FREQ=DAILY;INTERVAL=999999999", "20200101T000000"],
  ["FREQ=YEARLY;INTERVAL=7;BYMONTHDAY=-31;BYMONTH=2", "16010101T000000"],
  ["FREQ=SECONDLY;UNTIL=20200102T000000", "20200101T000000"]
])("%s has no occurrence in a week, which takes at most 1,000 steps to find out", (rule, start) => {
  const budget = new Budget(1_000)
  expect(expanded(rule, start, "2026-03-01T00:00:00Z", "2026-03-08T00:00:00Z", budget)).toEqual([])
})

it("an endless rule takes steps only for the window, however old its start is (D-DAV-2)", () => {
  const budget = new Budget(100)
  const week = expanded("FREQ=DAILY", "19000101T090000", "2026-03-01T00:00:00Z", "2026-03-08T00:00:00Z", budget)
  expect(week).toHaveLength(7)
})

it.each(["FREQ=SECONDLY", "FREQ=SECONDLY;COUNT=999999999", "FREQ=MINUTELY;BYMONTH=1;BYSECOND=0,1,2,3,4,5"])(
  "%s for ten years exceeds the budget",
  (rule) => {
    expect(() => expanded(rule, "20160101T000000", "2016-01-01T00:00:00Z", "2026-01-01T00:00:00Z")).toThrow(
      "the recurrence has too many occurrences"
    )
  }
)

it.each([
  ["FREQ=NEVER", "invalid frequency"],
  ["FREQ=DAILY;BYHOUR=25", "BYHOUR"],
  ["FREQ=DAILY;COUNT=x", "Could not extract integer"],
  ["RSCALE=CHINESE;FREQ=YEARLY", "cannot be read"],
  ["COUNT=3", "cannot be read"]
])("the rule %s is an error", (rule, message) => {
  expect(() => expanded(rule, "20260101T000000", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z")).toThrow(message)
})
