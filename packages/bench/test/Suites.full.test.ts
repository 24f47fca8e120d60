import { files } from "@frontdesk/dashboard"
import { chromiumPath } from "@frontdesk/test-browser/browser"
import { describe, expect, it, vi } from "vitest"
import * as abuse from "../src/abuse.ts"
import { kinds } from "../src/abuse/Kind.ts"
import * as dashboard from "../src/dashboard.ts"
import * as deliveries from "../src/deliveries.ts"
import * as endpoints from "../src/endpoints.ts"
import * as http from "../src/http.ts"
import * as outbox from "../src/outbox.ts"
import * as postgres from "../src/postgres.ts"
import * as reads from "../src/reads.ts"
import * as Rounds from "../src/Rounds.ts"
import * as signature from "../src/signature.ts"
import * as slots from "../src/slots.ts"
import * as start from "../src/start.ts"
import * as storage from "../src/storage.ts"
import * as tools from "../src/tools.ts"

/** A table that a suite prints. Columns that depend on the system may follow the given ones. */
interface Table {
  readonly title: string
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<string>
}

const rates = (title: string, rows: ReadonlyArray<string>): Table => ({
  title,
  columns: [...Rounds.titles, "CPU µs", "x CPU"],
  rows
})

const storages = ["SQLite", "PostgreSQL"]

const operations = [
  "event by UUID",
  "page of 20 events",
  "slots of a week",
  "PATCH a contact",
  "event, own account",
  "event, one account"
]

const toolNames = [
  "get_context",
  "find_slots",
  "hold_slot",
  "book",
  "my_appointments",
  "move",
  "cancel",
  "get_contact",
  "update_contact",
  "set_variables",
  "opt_out",
  "request_callback"
]

/** Runs a suite once and returns the lines that it prints. */
const linesOf = async (
  run: (options: { readonly quick: boolean }) => Promise<void>
): Promise<ReadonlyArray<string>> => {
  const printed: Array<string> = []
  const log = vi.spyOn(console, "log").mockImplementation((...texts) => void printed.push(texts.join(" ")))
  try {
    await run({ quick: true })
  } finally {
    log.mockRestore()
  }
  return printed.join("\n").split("\n")
}

const spaced = (...texts: ReadonlyArray<string>): string => texts.join(" ").replaceAll(/\s+/g, " ").trim()

const numberOf = (cell: string | undefined): number => Number(cell?.replaceAll(",", "") || Number.NaN)

/** Checks that a table is printed with its columns and rows. Every cell is a number, and every ratio is above 0. */
const expectTable = (lines: ReadonlyArray<string>, { columns, rows, title }: Table): void => {
  const heading = lines.findIndex((line) => spaced(line).startsWith(spaced(title, ...columns)))
  expect([title, heading]).toEqual([title, expect.toSatisfy((index: number) => index >= 0)])
  for (const row of rows) {
    const line = lines.slice(heading + 1).find((text) => text.startsWith(`${row} `)) ?? ""
    const cells = line.slice(row.length).trim().split(/\s+/).map(numberOf)
    expect([title, row, cells.length]).toEqual([
      title,
      row,
      expect.toSatisfy((count: number) => count >= columns.length)
    ])
    for (const [index, column] of columns.entries()) {
      const isRatio = column.startsWith("x ") || column === "ratio"
      const isValid = (cell: number) => Number.isFinite(cell) && (isRatio ? cell > 0 : cell >= 0)
      expect([title, row, column, cells[index]]).toEqual([title, row, column, expect.toSatisfy(isValid)])
    }
  }
}

/** Checks the lines of `storage/Growth.ts` for accounts with 100 and with 1,000 rows. */
const expectGrowth = (lines: ReadonlyArray<string>): void => {
  const form = /^(.*\S) +(\d+) µs of 100 +(\d+) µs of 1,000 +ratio (\d+\.\d\d)$/
  const measured = lines.flatMap((line) => {
    const [, name, , , ratio] = form.exec(line) ?? []
    return name === undefined ? [] : [[name, Number(ratio) > 0]]
  })
  expect(measured).toEqual(
    [
      "a page of a week's events",
      "the first page of all events",
      "busy times of a week",
      "a call by its identifier",
      "a claim beside open webhooks",
      "the same, 10 an account",
      "a claim among due webhooks"
    ].map((name) => [name, true])
  )
}

// The suites check their results while they measure: slots, signatures, answers and rows equal those of the baseline.
describe("A smoke run of the benchmark", { timeout: 240_000 }, () => {
  it("slots prints a row with ratios for each case, and the first call in a time zone", async () => {
    const lines = await linesOf(slots.run)
    expect(lines[0]).toContain("milliseconds a call")
    expectTable(lines, {
      title: "",
      columns: ["slots", "best", "median", "sweep best", "median", "x best", "x median"],
      rows: [
        "7 days, 20 busy",
        "31 days, 200 busy",
        "31 days, 2,000 busy",
        "365 days, 5,000 busy",
        "365 days, 5,000 busy, shuffled",
        "90 days, 1,000 busy, 1 minute"
      ]
    })
    const first = lines.find((line) => line.startsWith("365 days, a zone's first call ")) ?? ""
    expect(first).toMatch(/call +\d+\.\d{4} +\d+\.\d{4}$/)
  })

  it("signature prints the rates of node:crypto and of both layers", async () => {
    const lines = await linesOf(signature.run)
    expect(lines[0]).toContain("signatures a second")
    expectTable(lines, {
      title: "",
      columns: Rounds.titles,
      rows: ["node:crypto", "sign, the server's layer", "sign, Web Crypto's layer"]
    })
  })

  it("start prints the time until the first answer of a bare server and of Frontdesk", async () => {
    const lines = await linesOf(start.run)
    expectTable(lines, {
      title: "start to first 200, ms",
      columns: ["best", "p50", "p99", "CPU", "x best"],
      rows: ["node:http alone", "checkout", "package"]
    })
  })

  it("http prints the rates and latencies of every server on SQLite, then on PostgreSQL", async () => {
    const lines = await linesOf(http.run)
    const starts = storages.map((database) => lines.indexOf(`${database}, 50 events. Answers and rows agree.`))
    expect(starts).toEqual([0, expect.toSatisfy((line: number) => line > 0)])
    const servers = ["Fastify, by hand", "Frontdesk"]
    for (const [of, contestants] of [
      [lines.slice(0, starts[1]), [...servers, "Frontdesk, schema JIT"]],
      [lines.slice(starts[1]), servers]
    ] as const) {
      const titles = [
        "GET an event, a second",
        "POST an event, a second",
        "GET with 1 connection",
        "POST with 1 connection"
      ]
      for (const title of titles) {
        const { columns, rows } = rates(title, contestants)
        expectTable(of, { title, columns: [...columns, ...Rounds.latencyTitles], rows })
      }
    }
  })

  it("endpoints prints the rate of each endpoint compared with its floor", async () => {
    const lines = await linesOf(endpoints.run)
    expectTable(lines, {
      title: "each endpoint, 24 connections",
      columns: ["floor/s", "Frontdesk/s", "x best", "x median", "x CPU", "p50 ms", "p99 ms", "SQL"],
      rows: ["GET agents", "GET contacts, search", "GET availability", "PATCH an event", "POST business context"]
    })
    expect(lines.length).toBe(21)
    // Every answer takes at least one statement, so an endpoint without one was not recorded.
    expect(lines.slice(1).filter((line) => line.endsWith(" 0"))).toEqual([])
  })

  it("storage prints the times of queries in both accounts, and the rates of outbox writes", async () => {
    const lines = await linesOf(storage.run)
    expect(lines[0]).toMatch(/^written in \d+\.\d s$/)
    expectGrowth(lines)
    for (const batch of [1, 100]) {
      const line = lines.find((text) => text.startsWith(`outbox, ${batch} a transaction `)) ?? ""
      expect(numberOf(/([\d,]+) rows\/s$/.exec(line)?.[1])).toBeGreaterThan(0)
    }
  })

  it("deliveries prints throughput, latency beside a receiver that hangs, event cost and backlog", async () => {
    const lines = await linesOf(deliveries.run)
    expectTable(lines, rates("deliveries a second", ["undici, a bare loop", "from a full queue", "produced meanwhile"]))
    expectTable(lines, {
      title: "commit to arrival, ms",
      columns: ["p50", "p99", "x p50", "x p99"],
      rows: ["alone", "beside 1,000 that hang"]
    })
    expectTable(lines, {
      title: "beside 400 due, ms",
      columns: ["p50", "p99", "x p50", "x p99"],
      rows: ["alone", "beside a flood, at once", "beside a flood, 250 ms", "beside a flood that hangs"]
    })
    for (const endpoints of [0, 1, 10]) {
      expectTable(lines, rates(`events/s, ${endpoints} endpoints`, ["the same SQL by hand", "CalendarEvents.create"]))
    }
    expectTable(lines, {
      title: "a backlog drains",
      columns: ["a second", "CPU µs", "first third", "last third", "ratio"],
      rows: ["500 due, heap in MB", "500 due, RSS in MB"]
    })
  })

  it("outbox prints the time of a mail beside an external calendar and a mail server that hang", async () => {
    const lines = await linesOf(outbox.run)
    for (const database of storages) {
      expectTable(lines, {
        title: `commit to mail, ${database}, ms`,
        columns: ["p50", "p99", "x p50", "x p99"],
        rows: ["alone", "beside a calendar that hangs", "beside mail that hangs"]
      })
    }
  })

  it("postgres prints services, deliveries, nodes, claims, reminders, signals, volume and growth", async () => {
    const lines = await linesOf(postgres.run)
    for (const callers of [1, 16]) {
      for (const operation of operations) expectTable(lines, rates(`${operation}, ${callers} at once`, storages))
    }
    for (const kind of ["full", "meanwhile"]) expectTable(lines, rates(`deliveries/s, ${kind}`, storages))
    for (const title of ["answered at once", "answered after 250 ms"]) {
      expectTable(lines, rates(title, ["one node", "two nodes"]))
    }
    for (const limit of [256, 32]) {
      expectTable(lines, {
        title: `rows claimed, ${limit} a time`,
        columns: [...Rounds.titles, "claims/s", "rows each", "empty"],
        rows: [1, 2, 4].map((nodes) => `${nodes} claiming`)
      })
    }
    expectTable(
      lines,
      rates(
        "reminders a second",
        [1, 2, 4].map((nodes) => `${nodes} sending`)
      )
    )
    const ways = ["no notification", "notify after the commit", "NOTIFY in the transaction"]
    expectTable(lines, rates("events/s, 32 writers", ways))
    expectTable(lines, {
      title: "for each delivery",
      columns: ["WAL bytes", "commits", "updates", "of them HOT"],
      rows: ["its event is published", "it is sent and recorded"]
    })
    expectTable(lines, {
      title: "stored for each delivery",
      columns: ["rows, bytes", "indexes", "together"],
      rows: ["webhook_event", "webhook_delivery", "webhook_attempt"]
    })
    expectGrowth(lines)
  })

  it("abuse prints the times of the victim for each database, rate limit and attack", async () => {
    const lines = await linesOf(abuse.run)
    const measured = ["delivery", "answer"].flatMap((what) => {
      const article = what === "answer" ? "an" : "a"
      return ["alone", "machine as busy", "attacked"].map((state) => `  ${article} ${what}, ${state}`)
    })
    for (const database of storages) {
      for (const limits of ["with default settings", "without a rate limit"]) {
        const title = `${database}, ${limits}`
        const columns = ["p50 ms", "p99 ms", "x alone"]
        const start = lines.findIndex((line) => line.startsWith(title))
        for (const { name } of kinds) {
          const attack = lines.findIndex((line, index) => index > start && line.startsWith(`${name}, `))
          expect([title, name, attack > start]).toEqual([title, name, true])
          const [heading = ""] = lines.slice(start)
          // The lines of an attack are its name and the six measured rows.
          expectTable([heading, ...lines.slice(attack, attack + 7)], { title, columns, rows: measured })
        }
      }
    }
  })

  it("reads prints the times of a small account beside each slow query of a large one", async () => {
    const lines = await linesOf(reads.run)
    const columns = ["p50 alone", "p99 alone", "p50 ms", "p99 ms", "x alone", "queries"]
    expect(spaced(lines[0] ?? "")).toBe(spaced("GET /agents beside", ...columns))
    const slow = lines.slice(1).filter((line) => line !== "")
    expect(slow.length).toBeGreaterThan(5)
    for (const line of slow) {
      // Every query is answered with 200, and the five times before the rate are numbers above 0.
      const cells = /^.{3,}?((?:\s+[\d.]+){5})\s+[\d.]+\/s 200$/.exec(line)?.[1]?.trim().split(/\s+/).map(Number)
      expect([line, cells?.every((cell) => cell > 0)]).toEqual([line, true])
    }
  })

  it("tools prints the rate and the latencies of each tool, in five accounts and in one", async () => {
    const lines = await linesOf(tools.run)
    for (const database of storages) {
      for (const accounts of ["5 accounts", "one account"]) {
        const rows = ["GET availability", ...toolNames]
        const { columns, title } = rates(`${database}, ${accounts}`, rows)
        expectTable(lines, { title, columns: [...columns, ...Rounds.latencyTitles], rows })
      }
    }
  })

  it.skipIf(chromiumPath === undefined)(
    "dashboard prints the cost of opening each page, with the requests that the page makes in a browser",
    async () => {
      const lines = await linesOf(dashboard.run)
      for (const title of storages) {
        const paths = ["/", ...files().paths]
        const rows = ["GET caller", "the files of the first page", ...paths]
        expectTable(lines, { title, columns: ["requests", "kB", "CPU ms", "x caller", "p50 ms", "p99 ms"], rows })
        const columns = ["paint p50", "paint max", "shown p50", "shown max", "x bare"]
        expectTable(lines, { title: "in Chromium, ms", columns, rows: ["a bare page", "/", "/calls"] })
        // Every page asks who is signed in, for the account, and for what it shows.
        const table = lines.slice(lines.findIndex((line) => line.startsWith(title)))
        const requests = paths.map((path) =>
          Number(/^\S+ +(\d+) /.exec(table.find((line) => line.startsWith(`${path} `)) ?? "")?.[1])
        )
        expect(requests.filter((count) => !(count >= 3))).toEqual([])
      }
    }
  )
})
