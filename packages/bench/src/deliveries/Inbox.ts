import * as Child from "../http/Child.ts"

/** A delivery that came to `/noted`: the call it is about, and when, by {@link monotonicMillis}. */
export interface Arrival {
  readonly callId: number
  readonly at: number
}

/** Milliseconds on the clock that all processes of a machine share and nobody sets. */
export const monotonicMillis = (): number => Number(process.hrtime.bigint()) / 1e6

/** A receiver of webhooks, in a process of its own. */
export interface Inbox {
  /**
   * Where deliveries to a path go. Those to `/noted` are noted, those to `/hanging` get no answer, and those to a path
   * that begins with `/slow` get theirs after a quarter of a second.
   */
  readonly url: (path: string) => string
  /** What has been noted since this was asked last. */
  readonly arrivals: () => Promise<ReadonlyArray<Arrival>>
  /** From now on `/hanging` hangs. It does at the start. */
  readonly hang: () => Promise<void>
  /** Answers what hangs, and from now on at once. */
  readonly release: () => Promise<void>
  /** The CPU time it has used so far, in microseconds. */
  readonly cpuMicros: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** Starts a receiver and waits until it listens. */
export const open = async (): Promise<Inbox> => {
  const server = await Child.startServer({ name: "the receiver", module: "../deliveries/receiver.ts", filename: "" })
  const url = (path: string): string => `http://127.0.0.1:${server.port}${path}`
  const ask = async <A>(path: string): Promise<A> => {
    const response = await fetch(url(path))
    /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
       -- Both ends are modules of this folder. */
    return (await response.json()) as A
  }
  return {
    url,
    arrivals: () => ask("/arrivals"),
    hang: () => ask("/hang"),
    release: () => ask("/release"),
    cpuMicros: server.cpuMicros,
    stop: server.stop
  }
}
