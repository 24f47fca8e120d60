/**
 * A CPU profile of Node: the functions, the one that ran at each sample, and the microseconds between two samples.
 */
export interface CpuProfile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }>
  readonly samples?: ReadonlyArray<number> | undefined
  readonly timeDeltas?: ReadonlyArray<number> | undefined
}

type CallFrame = CpuProfile["nodes"][number]["callFrame"]

const places: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\/effect\/(?:dist|src)\/(?:Schema|internal\/schema|schema\/)/, "effect: schemas"],
  [/\/effect\/(?:dist|src)\/(?:http\/|http-api\/)|\/platform-node/, "effect: HTTP"],
  [/\/effect\/(?:dist|src)\/sql\//, "effect: SQL"],
  [/\/effect\/(?:dist|src)\//, "effect: runtime"],
  [/\/packages\/([\w-]+)\//, "frontdesk: $1"],
  [/\/node_modules\/(?:\.pnpm\/[^/]+\/node_modules\/)?((?:@[^/]+\/)?[^/]+)\//, "$1"],
  [/^node:(?:internal\/)?(?:_?http|_?stream|streams|net|timers|async_hooks)/, "Node: HTTP and sockets"],
  [/^node:/, "Node: other"]
]

/** The parts of the program that native functions belong to, by the name of the function. Such a function has no file. */
const native: Readonly<Record<string, string>> = {
  "(garbage collector)": "garbage collection",
  all: "SQLite",
  get: "SQLite",
  run: "SQLite",
  iterate: "SQLite",
  writev: "Node: HTTP and sockets",
  writeLatin1String: "Node: HTTP and sockets",
  writeUtf8String: "Node: HTTP and sockets",
  writeBuffer: "Node: HTTP and sockets"
}

const placeOf = ({ functionName, url }: CallFrame): string => {
  for (const [pattern, name] of places) {
    const match = pattern.exec(url)
    if (match !== null) return name.replace("$1", match[1] ?? "")
  }
  return native[functionName] ?? "V8 and the system"
}

const isWork = ({ functionName, url }: CallFrame): boolean =>
  functionName !== "(idle)" && functionName !== "(root)" && url !== "node:inspector"

const sum = (into: Map<string, number>, name: string, micros: number): void => {
  into.set(name, (into.get(name) ?? 0) + micros)
}

const largest = (of: ReadonlyMap<string, number>): ReadonlyArray<readonly [string, number]> =>
  [...of].toSorted(([, a], [, b]) => b - a)

/**
 * Returns a table of the time in a profile, in microseconds for each request: the parts of the program first, then the
 * functions with the most time of their own.
 */
export const table = (
  { nodes, samples = [], timeDeltas = [] }: CpuProfile,
  requests: number,
  functions = 12
): string => {
  const frames = new Map(nodes.map(({ callFrame, id }) => [id, callFrame]))
  const byPlace = new Map<string, number>()
  const byFunction = new Map<string, number>()
  let total = 0
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id)
    const micros = timeDeltas[index] ?? 0
    if (frame === undefined || !isWork(frame)) continue
    total += micros
    sum(byPlace, placeOf(frame), micros)
    const file = frame.url === "" ? "" : ` ${frame.url.split("/").slice(-2).join("/")}:${frame.lineNumber + 1}`
    sum(byFunction, `${frame.functionName || "(anonymous)"}${file}`, micros)
  }
  const line = ([name, micros]: readonly [string, number]): string =>
    `${(micros / requests).toFixed(1).padStart(8)} µs ${((micros / total) * 100).toFixed(1).padStart(5)} %  ${name}`
  return [
    line(["all together", total]),
    ...largest(byPlace)
      .filter(([, micros]) => micros / total >= 0.005)
      .map(line),
    "  the functions with the most time of their own:",
    ...largest(byFunction).slice(0, functions).map(line)
  ].join("\n")
}
