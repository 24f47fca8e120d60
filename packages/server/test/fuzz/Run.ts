import * as fc from "fast-check"
import type { Client } from "./Client.ts"
import * as Description from "./Description.ts"
import { callers, complete } from "./Installation.ts"
import * as RequestCheck from "./RequestCheck.ts"
import * as ResponseCheck from "./ResponseCheck.ts"
import * as Known from "./Known.ts"
import * as Lists from "./Lists.ts"
import * as Requests from "./Requests.ts"

/** The API that receives the requests. */
export interface Target {
  readonly client: Client
  /** Stops it. Returns the errors that it logged. */
  readonly stop: () => Promise<ReadonlyArray<string>>
}

/** Options of a run. */
export interface RunOptions {
  readonly seed: number
  readonly requests: number
  /** Starts the API that receives the requests. */
  readonly start: () => Promise<Target>
  /** As in {@link Requests.RequestOptions}. Without odd parts, every caller has every permission. Default: true. */
  readonly hasOddParts?: boolean
  readonly onBatch?: (sent: number, faults: number) => void
}

/** The result of a run. */
export interface RunReport {
  /** The number of answers by operation and status. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<number, number>>
  /** Each fault with the first request that caused it, and the number of such requests. */
  readonly faults: ReadonlyMap<string, { readonly example: string; readonly count: number }>
}

/** The number of requests in progress at the same time. */
const concurrency = 8

/** The number of requests after which all lists are checked. */
const batchSize = 500

const described = ({ caller, headers, method, target }: Requests.FuzzRequest, body: Buffer | null): string =>
  [
    `${method} ${target.slice(0, 500)}`,
    `caller ${caller}, headers ${JSON.stringify(headers).slice(0, 300)}`,
    `body ${body === null ? "none" : `${body.length} bytes: ${body.toString("utf8").slice(0, 1_500)}`}`
  ].join("\n  ")

/** Sends requests that are generated from the server's own OpenAPI document, and checks the answers. */
export const run = async ({ hasOddParts = true, onBatch, requests, seed, start }: RunOptions): Promise<RunReport> => {
  const { client, stop } = await start()
  const answers = new Map<string, Map<number, number>>()
  const faults = new Map<string, { example: string; count: number }>()
  const known = new Map(callers.map((caller) => [caller, Known.make()]))

  const report = (fault: string, example: string): void => {
    const known = faults.get(fault)
    if (known === undefined) faults.set(fault, { example, count: 1 })
    else known.count += 1
  }

  const send = async (generated: Requests.FuzzRequest, index: number): Promise<void> => {
    const caller = callers[generated.caller]
    if (caller === undefined) return
    const seen = known.get(caller)
    const request = { ...generated, target: seen?.fill(generated.target, index) ?? generated.target }
    const answer = await client.send(caller, request)
    const operation = `${request.operation.method} ${request.operation.path}`
    if (answer instanceof Error) {
      report(`${operation}: no answer: ${answer.message}`, described(request, request.body))
      return
    }
    const statuses = answers.get(operation) ?? new Map<number, number>()
    answers.set(operation, statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1))
    if (answer.status < 300) seen?.add(request.operation.path, ResponseCheck.json(answer))
    for (const fault of [...ResponseCheck.faults(request, answer), ...RequestCheck.faults(request, answer)]) {
      const example = `${described(request, request.body)}\n  answered ${answer.status}: ${answer.text.slice(0, 1_000)}`
      report(`${operation}: ${fault}`, example)
    }
  }

  try {
    const document = await client.send(
      { authorization: null, isComplete: false },
      { method: "GET", target: "/openapi.json" }
    )
    if (document instanceof Error) throw document
    const description = Description.read(ResponseCheck.json(document))
    const arbitrary = Requests.make(description, {
      callers: hasOddParts ? callers.length : complete.length,
      hasOddParts
    })
    for (let sent = 0; sent < requests; sent += batchSize) {
      const numRuns = Math.min(batchSize, requests - sent)
      const batch = [...fc.sample(arbitrary, { numRuns, seed: seed + sent }).entries()]
      const lane = async (): Promise<void> => {
        for (let next = batch.shift(); next !== undefined; next = batch.shift()) await send(next[1], next[0])
      }
      await Promise.all(Array.from({ length: concurrency }, lane))
      for (const caller of new Set(callers.filter(({ isComplete }) => isComplete)))
        for (const fault of await Lists.faults(client, caller))
          report(`lists: ${fault.slice(0, 200)}`, `after ${sent + numRuns} requests`)
      onBatch?.(sent + numRuns, faults.size)
    }
  } finally {
    for (const line of await stop()) report(`log: ${line.slice(0, 300)}`, line)
  }
  return { answers, faults }
}
