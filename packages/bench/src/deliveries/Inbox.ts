import * as Child from "../http/Child.ts"

/** A delivery to `/noted`: the id of its call, and its arrival by {@link monotonicMillis}. */
export interface Arrival {
  readonly callId: number
  readonly at: number
}

/** Returns the milliseconds of the monotonic clock, which all processes of a machine share. */
export const monotonicMillis = (): number => Number(process.hrtime.bigint()) / 1e6

/** A receiver of webhooks in its own process. */
export interface Inbox {
  /**
   * Returns the URL of a path. Deliveries to `/noted` are stored with their arrival. Those to a path that
   * begins with `/hanging` have no answer, and those to a path that begins with `/slow` are answered after a quarter of a second.
   */
  readonly url: (path: string) => string
  /** Returns the deliveries to `/noted` that have arrived since this method was last used. */
  readonly arrivals: () => Promise<ReadonlyArray<Arrival>>
  /** Makes `/hanging` hang from now on. It hangs at the start. */
  readonly hang: () => Promise<void>
  /** Makes `/hanging` answer the requests that hang, and further ones at once. */
  readonly release: () => Promise<void>
  /** Returns the CPU time that the process has used so far, in microseconds. */
  readonly cpuMicros: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** Starts a receiver and waits until it listens. */
export const open = async (): Promise<Inbox> => {
  const server = await Child.startServer({ name: "the receiver", module: "../deliveries/receiver.ts", databaseUrl: "" })
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
