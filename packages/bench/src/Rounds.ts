import process from "node:process"

/** The options of a suite. */
export interface SuiteOptions {
  /** Whether to run only a few small rounds, which take seconds. The printed figures then mean nothing. */
  readonly quick: boolean
}

/** A summary of the rates of several rounds, compared with a baseline in the same rounds. A higher rate is better. */
export interface Summary {
  /** The highest rate: that of the least disturbed round. */
  readonly best: number
  readonly median: number
  /** The best rate divided by the best rate of the baseline. */
  readonly bestRatio: number
  /** The median of the ratios of each round to the baseline in the same round. */
  readonly medianRatio: number
}

/** Returns the quantile of values; `part` is 0.5 for the median. */
export const quantile = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN

/**
 * Returns a ratio as text with two digits. One decimal would round a ratio to 0 whose baseline had a single slow sample.
 */
export const ratioText = (ratio: number): string => (ratio < 10 ? ratio.toPrecision(2) : ratio.toFixed(0))

const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)

/** Returns the summary of the rates of several rounds. */
export const summary = (rates: ReadonlyArray<number>, baseline: ReadonlyArray<number>): Summary => ({
  best: Math.max(...rates),
  median: median(rates),
  bestRatio: Math.max(...rates) / Math.max(...baseline),
  medianRatio: median(rates.map((rate, round) => rate / (baseline[round] ?? Number.NaN)))
})

/**
 * Measures every contestant once in each round and returns the results. The contestants take turns, so that other load
 * on the machine affects all of them alike. The first one changes from round to round.
 */
export const interleave = async <A, B>(
  contestants: ReadonlyArray<A>,
  rounds: number,
  measure: (contestant: A) => Promise<B>
): Promise<ReadonlyArray<{ readonly contestant: A; readonly results: ReadonlyArray<B> }>> => {
  const all = contestants.map((contestant) => ({ contestant, results: Array<B>() }))
  for (let round = 0; round < rounds; round++) {
    const first = round % all.length
    for (const { contestant, results } of [...all.slice(first), ...all.slice(0, first)]) {
      results.push(await measure(contestant))
    }
  }
  return all
}

/** Returns a line of a table: a name and cells, in columns. */
export const row = (name: string, cells: ReadonlyArray<string>): string =>
  [name.padEnd(29), ...cells.map((cell) => cell.padStart(10))].join(" ")

/** The titles of {@link cells}. */
export const titles = ["best", "median", "x best", "x median"]

/** Returns the cells of a summary: the rates as whole numbers, then the ratios to the baseline. */
export const cells = ({ best, bestRatio, median, medianRatio }: Summary): ReadonlyArray<string> => [
  ...[best, median].map((rate) => Math.round(rate).toLocaleString("en")),
  ...[bestRatio, medianRatio].map((ratio) => ratio.toFixed(2))
]

/** The result of one round. */
export interface Costed {
  readonly perSecond: number
  /** The CPU time for each operation, in microseconds. */
  readonly cpuMicros: number
  /** The CPU time of other processes for each operation, by their name. Absent without others, or without `/proc`. */
  readonly others?: Readonly<Record<string, number>>
  /** The time of each operation in milliseconds, where it is measured. */
  readonly latencies?: ReadonlyArray<number>
}

/** Returns the CPU time that a process has used so far, in microseconds; undefined where it is unknown. */
export type CpuClock = () => Promise<number | undefined>

/** Returns the CPU time of this process. */
const ownCpu: CpuClock = () => {
  const { system, user } = process.cpuUsage()
  return Promise.resolve(system + user)
}

/** The clocks of the processes that work. Without `cpu`, this process does. `others` are further ones. */
export interface Clocks {
  readonly cpu?: CpuClock
  readonly others?: Readonly<Record<string, CpuClock>>
}

/** Measures `work`, which consists of `count` operations. */
export const costed = (count: number, work: () => Promise<unknown>, clocks: Clocks = {}): Promise<Costed> =>
  counted(async () => {
    await work()
    return count
  }, clocks)

/** Measures `work`, which returns the number of its operations. */
export const counted = async (
  work: () => Promise<number>,
  { cpu = ownCpu, others = {} }: Clocks = {}
): Promise<Costed> => {
  const clocks = [cpu, ...Object.values(others)]
  const before = await Promise.all(clocks.map((clock) => clock()))
  const start = performance.now()
  const count = await work()
  const seconds = (performance.now() - start) / 1_000
  const after = await Promise.all(clocks.map((clock) => clock()))
  const [cpuMicros = Number.NaN, ...used] = after.map((micros, index) => {
    const from = before[index]
    return micros === undefined || from === undefined ? undefined : (micros - from) / count
  })
  const known = Object.keys(others).flatMap((name, index): ReadonlyArray<readonly [string, number]> => {
    const micros = used[index]
    return micros === undefined ? [] : [[name, micros]]
  })
  return { perSecond: count / seconds, cpuMicros, ...(known.length === 0 ? {} : { others: Object.fromEntries(known) }) }
}

/** Returns the least CPU time for each operation over all rounds, of the measured process or of another one. */
export const leastCpu = (results: ReadonlyArray<Costed>, other?: string): number =>
  Math.min(
    ...results.map(({ cpuMicros, others }) => (other === undefined ? cpuMicros : (others?.[other] ?? Number.NaN)))
  )

/** Returns the quantiles of the latencies of all rounds, as cells. The last one compares the p99 with the baseline. */
const latencyCells = (results: ReadonlyArray<Costed>, baseline: ReadonlyArray<Costed>): ReadonlyArray<string> => {
  const latenciesOf = (rounds: ReadonlyArray<Costed>) => rounds.flatMap(({ latencies = [] }) => latencies)
  const latencies = latenciesOf(results)
  if (latencies.length === 0) return []
  const p99 = quantile(latencies, 0.99)
  const ratio = quantile(latenciesOf(baseline), 0.99) / p99
  return [quantile(latencies, 0.5).toFixed(2), p99.toFixed(2), ratio.toFixed(2)]
}

/** The titles of the columns with latencies. */
export const latencyTitles = ["p50 ms", "p99 ms", "x p99"]

/**
 * Returns a table of rates, of the CPU time in the least disturbed round, and of the latencies where they are measured.
 * The first contestant is the baseline.
 */
export const table = (
  title: string,
  contestants: ReadonlyArray<{ readonly name: string; readonly results: ReadonlyArray<Costed> }>
): string => {
  const ratesOf = (index: number) => (contestants[index]?.results ?? []).map(({ perSecond }) => perSecond)
  const all = contestants.flatMap(({ results }) => results)
  const baseline = leastCpu(contestants[0]?.results ?? [])
  const others = [...new Set(all.flatMap((result) => Object.keys(result.others ?? {})))]
  const hasLatencies = all.some(({ latencies }) => latencies !== undefined)
  return [
    row(title, [
      ...titles,
      "CPU µs",
      "x CPU",
      ...(hasLatencies ? latencyTitles : []),
      ...others.map((name) => `${name} µs`)
    ]),
    ...contestants.map(({ name, results }, index) =>
      row(name, [
        ...cells(summary(ratesOf(index), ratesOf(0))),
        leastCpu(results).toFixed(1),
        (baseline / leastCpu(results)).toFixed(2),
        ...latencyCells(results, contestants[0]?.results ?? []),
        ...others.map((other) => {
          const micros = leastCpu(results, other)
          return Number.isNaN(micros) ? "" : micros.toFixed(1)
        })
      ])
    )
  ].join("\n")
}
