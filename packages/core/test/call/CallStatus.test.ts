import { describe, expect, it } from "@effect/vitest"
import { advance, CallStatus, isTerminal, rank, ranks } from "@frontdesk/core/call/CallStatus"
import { standard } from "@frontdesk/core/call/ReconcilePlan"
import * as Duration from "effect/Duration"
import * as fc from "fast-check"
import { readFileSync } from "node:fs"

const statuses = CallStatus.literals
const page = readFileSync(new URL("../../../../docs/call-status.md", import.meta.url), "utf8")

describe("CallStatus", () => {
  it("a queued call rings, is answered and completes", () => {
    expect(advance("queued", "ringing")).toBe("ringing")
    expect(advance("ringing", "in_progress")).toBe("in_progress")
    expect(advance("in_progress", "completed")).toBe("completed")
  })

  it("a reported status whose rank is not higher does not change the status (D-CALL-20)", () => {
    expect(advance("in_progress", "ringing")).toBe("in_progress")
    expect(advance("completed", "in_progress")).toBe("completed")
  })

  it("the first terminal status is final (D-CALL-21)", () => {
    for (const first of statuses.filter(isTerminal)) {
      for (const later of statuses) expect(advance(first, later)).toBe(first)
    }
  })

  it("the terminal statuses are completed, busy, no_answer, failed and cancelled (D-CALL-19)", () => {
    expect(statuses.filter(isTerminal)).toEqual(["completed", "busy", "no_answer", "failed", "cancelled"])
  })
})

describe("docs/call-status.md", () => {
  it("lists every status with its rank and the statuses that may follow", () => {
    const rows = statuses.map((status) => {
      const next = statuses.filter((other) => advance(status, other) !== status)
      return `| \`${status}\` | ${rank(status)} | ${next.map((other) => `\`${other}\``).join(", ")}`.trimEnd() + " |"
    })
    expect(page.replaceAll(/ *\| */g, "|")).toContain(rows.join("\n").replaceAll(/ *\| */g, "|"))
  })

  it("draws every status in the column of its rank", () => {
    const diagram = /```text\n([\s\S]*?)```/.exec(page)?.[1] ?? ""
    const lines = diagram.split("\n")
    const column = (text: string) => Math.max(...lines.map((line) => line.search(new RegExp(`\\b${text}\\b`))))
    const heads = [0, 1, 2, 3].map((wanted) => column(`rank ${wanted}`))
    for (const status of statuses) {
      const at = column(status)
      expect([status, heads.findLastIndex((head) => head <= at)]).toEqual([status, ranks[status]])
    }
  })

  it("states the standard plan for calls without reports", () => {
    const [first, second, third, last] = standard.delays.map((delay) => Duration.toSeconds(delay))
    expect(page.replaceAll(/\s+/g, " ")).toContain(
      `${first} seconds after the last new report, then after ${second} and ${third} seconds more, then every ${(last ?? 0) / 60} minutes`
    )
    const followUps = standard.followUpDelays.map((delay) => Duration.toSeconds(delay))
    expect(page.replaceAll(/\s+/g, " ")).toContain(
      `${followUps[0]} seconds after the last new report, then after ${followUps
        .slice(1)
        .map((seconds) => seconds / 60)
        .join(", ")
        .replace(/, (\d+)$/, " and $1")} minutes more`
    )
    const limit = Duration.toMinutes(Duration.sum(standard.maxCallDuration, standard.margin))
    for (const words of [
      `does not know it ${Duration.toMinutes(standard.submissionWindow)} minutes after`,
      `not been answered ${limit} minutes after`,
      `${limit} minutes have passed since its answer`
    ]) {
      expect(page.replaceAll(/\s+/g, " ")).toContain(words)
    }
  })
})

describe("laws of CallStatus", () => {
  const status = fc.constantFrom(...statuses)

  it("the rank of a call's status never becomes lower", () => {
    fc.assert(fc.property(status, status, (present, next) => rank(advance(present, next)) >= rank(present)))
  })

  it("reported statuses of different ranks lead to the one with the highest rank, in any order", () => {
    fc.assert(
      fc.property(fc.uniqueArray(status, { selector: rank }), fc.array(fc.nat()), (reported, keys) => {
        const shuffled = reported.toSorted((a, b) => (keys[rank(a)] ?? 0) - (keys[rank(b)] ?? 0))
        const highest = reported.toSorted((a, b) => rank(b) - rank(a))[0] ?? "queued"
        expect(shuffled.reduce(advance, "queued")).toBe(rank(highest) === 0 ? "queued" : highest)
      })
    )
  })
})
