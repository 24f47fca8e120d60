import * as Result from "effect/Result"
import { formatOffset } from "@frontdesk/core/values/TimeZone"
import { parse } from "@frontdesk/core/values/WallTime"
import { slotsOf, vectors } from "./vectors.ts"

// A program of its own, because a process reads its time zone once.
const lines = vectors.map(({ question }) => [
  slotsOf(question).map(({ end, start }) => [start, end, formatOffset(start, question.timeZone)]),
  Result.getOrThrow(parse(`${question.startDate}T02:30`, question.timeZone))
])
console.log(JSON.stringify({ lines, processOffset: new Date(2026, 0, 1).getTimezoneOffset() }))
