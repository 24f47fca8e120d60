import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { inFlightByWebhook } from "frontdesk/Metrics"
import { acme, ask } from "../support/acme.ts"
import * as PrometheusText from "./prometheusText.ts"
import { provision, serve } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { receiver } from "../support/http.ts"

const idOf = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int }))

const root = join(import.meta.dirname, "../../../..")

/** The metrics in the tables of docs/running.md, with their types. */
const documented = readFileSync(join(root, "docs/running.md"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, name = "", type = ""] = /^\| `(frontdesk_\w+)` +\| (\w+) /.exec(line) ?? []
    return name === "" ? [] : [[name, type] as const]
  })

describe("the metrics", () => {
  it("have the text format of Prometheus, include the deliveries being sent for each webhook, and exist from the start", async () => {
    const folder = temporaryFolder()
    await provision(folder, acme)
    const server = await serve(folder, {
      args: ["--metrics", "--webhook-allow-insecure", "--webhook-retry-delays", "none"]
    })
    const scrape = async () => {
      const answer = await fetch(`${server.url}/metrics`)
      expect(answer.headers.get("content-type")).toContain("text/plain; version=0.0.4")
      return PrometheusText.parse(await answer.text())
    }
    const sample = async (family: string, series: string) => (await scrape()).get(family)?.samples.get(series)

    // Alerts need these series before the first delivery or reminder.
    const names = [
      "frontdesk_webhook_oldest_due_ms",
      "frontdesk_webhook_in_flight",
      "frontdesk_webhook_lost_leases",
      "frontdesk_reminders_sent",
      "frontdesk_reminder_lag_ms",
      inFlightByWebhook
    ]
    const first = await scrape()
    for (const name of names) expect(first.has(name)).toBe(true)
    // Without a 0, `increase` of Prometheus misses the first count of a series.
    const labels = ["3xx", "4xx", "5xx", "none"].map((answer) => `answer="${answer}",result="failed"`)
    expect(first.get("frontdesk_webhook_attempts")?.samples).toEqual(
      new Map(
        [...labels, 'answer="4xx",result="disabled"'].map((each) => [`frontdesk_webhook_attempts{${each}}`, 0] as const)
      )
    )
    expect([...(first.get("frontdesk_calls_reconciled")?.samples.values() ?? [])]).toEqual([0, 0, 0, 0])
    expect(first.get(inFlightByWebhook)).toMatchObject({ type: "gauge", samples: new Map() })

    const [silent, good, bad] = [await receiver(0), await receiver(204), await receiver(500)]
    const ids: Array<number> = []
    for (const { url } of [silent, good, bad]) {
      const body = { name: "w", url, subscribed_events: ["calendar.created"] }
      ids.push(idOf(await (await ask(server.url, "/api/v1/api/webhooks/create", body)).json()).id)
    }
    for (const start_time of ["2030-01-01T10:00:00", "2030-01-01T10:05:00"]) {
      const event = { title: "x", start_time, end_time: "2030-01-01T11:00:00" }
      expect((await ask(server.url, "/api/v1/calendar/events/create", event)).status).toBe(201)
    }
    const attempts = (labels: string) => sample("frontdesk_webhook_attempts", `frontdesk_webhook_attempts{${labels}}`)
    await expect.poll(() => attempts('answer="2xx",result="delivered"'), { timeout: 20_000 }).toBe(2)
    await expect.poll(() => attempts('answer="5xx",result="failed"'), { timeout: 20_000 }).toBe(2)
    await expect
      .poll(async () => [...((await scrape()).get(inFlightByWebhook)?.samples ?? [])], { timeout: 20_000 })
      .toEqual([[`${inFlightByWebhook}{webhook="${ids[0]}"}`, 2]])

    const families = await scrape()
    const lag = families.get("frontdesk_webhook_lag_ms")
    expect([...(lag?.samples.keys() ?? [])]).toEqual([
      'frontdesk_webhook_lag_ms{quantile="0.5"}',
      'frontdesk_webhook_lag_ms{quantile="0.99"}',
      "frontdesk_webhook_lag_ms_sum{}",
      "frontdesk_webhook_lag_ms_count{}"
    ])
    expect(lag?.samples.get("frontdesk_webhook_lag_ms_count{}")).toBe(4)
    const types = new Map(documented)
    for (const [name, { help, type }] of families) {
      expect([name, type]).toEqual([name, types.get(name)])
      expect(help).not.toBeNull()
    }
  })

  it("are exactly those that docs/running.md lists", () => {
    const defined = globSync("packages/*/src/**/*.ts", { cwd: root })
      .flatMap((file) => [...readFileSync(join(root, file), "utf8").matchAll(/\bMetric\.[a-z]+\(\s*"(\w+)"/g)])
      .map(([, name = ""]) => name)
    // With fewer, the pattern above would no longer match the code.
    expect(defined.length).toBeGreaterThan(8)
    expect(documented.map(([name]) => name).toSorted()).toEqual([...defined, inFlightByWebhook].toSorted())
  })
})

describe("the Prometheus parser for the tests", () => {
  it.each([
    ["a 1\n", "without a TYPE"],
    ["# TYPE a gauge\na 1", "no end"],
    ["# TYPE a gauge\na 1\na 2\n", "twice"],
    ["# TYPE a gauge\n# TYPE a gauge\n", "TYPE"],
    ["# HELP a x\n# HELP a y\n", "second HELP"],
    ["# TYPE a gauge\nb 1\n", "b in a"],
    ["# TYPE a gauge\na one\n", "value"],
    ['# TYPE a gauge\na{b="c} 1\n', "labels"],
    ['# TYPE a gauge\na{b="1",b="2"} 1\n', "label b twice"],
    ["# TYPE a summary\na 1\n", "quantile"],
    ["# TYPE a gauge\n# TYPE b gauge\n# HELP a x\n", "two places"]
  ])("rejects %j", (text, problem) => {
    expect(() => PrometheusText.parse(text)).toThrow(problem)
  })
})
