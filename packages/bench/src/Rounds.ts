import process from "node:process"

/** How long a suite may take: a smoke run answers in seconds and its figures mean nothing. */
export interface SuiteOptions {
  readonly quick: boolean
}

/** The rates of several rounds, of which more is better, beside those of a baseline in the same rounds. */
export interface Summary {
  /** The least disturbed round. */
  readonly best: number
  readonly median: number
  /** The best round against the best of the baseline. */
  readonly bestRatio: number
  /** The median of what each round was against the baseline's in the same round. */
  readonly medianRatio: number
}

/** The value that so much of the values lie below; the median is that of a half. */
export const quantile = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN

const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)

/** What is left of the rates of several rounds. */
export const summary = (rates: ReadonlyArray<number>, baseline: ReadonlyArray<number>): Summary => ({
  best: Math.max(...rates),
  median: median(rates),
  bestRatio: Math.max(...rates) / Math.max(...baseline),
  medianRatio: median(rates.map((rate, round) => rate / (baseline[round] ?? Number.NaN)))
})

/**
 * The results of rounds in which everyone takes a turn, so that whatever else the machine does meets all of them. Who
 * begins changes from round to round.
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

/** A line of a table: a name and cells under each other. */
export const row = (name: string, cells: ReadonlyArray<string>): string =>
  [name.padEnd(29), ...cells.map((cell) => cell.padStart(10))].join(" ")

/** The titles of {@link cells}. */
export const titles = ["best", "median", "x best", "x median"]

/** A summary of rates in a table: rates in whole numbers, then their ratios to the baseline. */
export const cells = ({ best, bestRatio, median, medianRatio }: Summary): ReadonlyArray<string> => [
  ...[best, median].map((rate) => Math.round(rate).toLocaleString("en")),
  ...[bestRatio, medianRatio].map((ratio) => ratio.toFixed(2))
]

/** What was measured in one round: a rate, and the CPU time of each thing done. */
export interface Costed {
  readonly perSecond: number
  readonly cpuMicros: number
  /** The CPU time of other processes for it, by what they are; absent: there are none, or the system does not tell. */
  readonly others?: Readonly<Record<string, number>>
}

/** Tells how much CPU time a process has used so far, in microseconds. */
export type CpuClock = () => Promise<number | undefined>

/** The CPU time so far of this process. */
const ownCpu: CpuClock = () => {
  const { system, user } = process.cpuUsage()
  return Promise.resolve(system + user)
}

/** Measures work that does so many things in this process, or in the one whose clock is given, and in others. */
export const costed = async (
  count: number,
  work: () => Promise<unknown>,
  { cpu = ownCpu, others = {} }: { readonly cpu?: CpuClock; readonly others?: Readonly<Record<string, CpuClock>> } = {}
): Promise<Costed> => {
  const clocks = [cpu, ...Object.values(others)]
  const before = await Promise.all(clocks.map((clock) => clock()))
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1_000
  const after = await Promise.all(clocks.map((clock) => clock()))
  const [cpuMicros = Number.NaN, ...used] = after.map((micros, index) => {
    const from = before[index]
    return micros === undefined || from === undefined ? undefined : (micros - from) / count
  })
  const told = Object.keys(others).flatMap((name, index): ReadonlyArray<readonly [string, number]> => {
    const micros = used[index]
    return micros === undefined ? [] : [[name, micros]]
  })
  return { perSecond: count / seconds, cpuMicros, ...(told.length === 0 ? {} : { others: Object.fromEntries(told) }) }
}

/** The least CPU time of this process or of others that a round took for each thing done. */
export const leastCpu = (results: ReadonlyArray<Costed>, other?: string): number =>
  Math.min(
    ...results.map(({ cpuMicros, others }) => (other === undefined ? cpuMicros : (others?.[other] ?? Number.NaN)))
  )

/** A table of rates and of the CPU time in the least disturbed round; the first contestant is the baseline. */
export const table = (
  title: string,
  contestants: ReadonlyArray<{ readonly name: string; readonly results: ReadonlyArray<Costed> }>
): string => {
  const ratesOf = (index: number) => (contestants[index]?.results ?? []).map(({ perSecond }) => perSecond)
  const all = contestants.flatMap(({ results }) => results)
  const baseline = leastCpu(contestants[0]?.results ?? [])
  const others = [...new Set(all.flatMap((result) => Object.keys(result.others ?? {})))]
  return [
    row(title, [...titles, "CPU µs", "x CPU", ...others.map((name) => `${name} µs`)]),
    ...contestants.map(({ name, results }, index) =>
      row(name, [
        ...cells(summary(ratesOf(index), ratesOf(0))),
        leastCpu(results).toFixed(1),
        (baseline / leastCpu(results)).toFixed(2),
        ...others.map((other) => {
          const micros = leastCpu(results, other)
          return Number.isNaN(micros) ? "" : micros.toFixed(1)
        })
      ])
    )
  ].join("\n")
}
