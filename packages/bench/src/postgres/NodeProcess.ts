import * as Child from "../http/Child.ts"

/** A request to a node. */
export type NodeRequest =
  | { readonly _tag: "Cpu" }
  | { readonly _tag: "Deliver" }
  | { readonly _tag: "Stop" }
  | { readonly _tag: "Remind" }
  | { readonly _tag: "Claim"; readonly limit: number }

/** The answer of a node: its CPU time in microseconds, the result of its claims, or how many reminders it sent. */
export type NodeAnswer =
  | { readonly _tag: "Cpu"; readonly micros: number }
  | { readonly _tag: "Claimed"; readonly claims: Claims }
  | { readonly _tag: "Reminded"; readonly count: number }

/** The result of the claims of a node. */
export interface Claims {
  /** The number of claims with at least one delivery. */
  readonly claims: number
  /** The number of claims without a delivery, because other nodes were claiming the due ones. */
  readonly empty: number
  readonly rows: number
}

/** The reference server without its HTTP API, in its own process. */
export interface NodeProcess {
  /** Returns the CPU time that the process has used so far, in microseconds. */
  readonly cpuMicros: () => Promise<number>
  /** Starts sending deliveries. */
  readonly deliver: () => Promise<void>
  /** Stops sending deliveries, after those in flight are recorded. */
  readonly pause: () => Promise<void>
  /** Claims all due deliveries, up to `limit` in each claim, and sends nothing. */
  readonly claim: (limit: number) => Promise<Claims>
  /** Sends all due reminders that no other node is sending. Returns how many it sent. */
  readonly remind: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** Starts a node on a database and waits until it is ready. */
export const start = async (databaseUrl: string): Promise<NodeProcess> => {
  const child = Child.start("../postgres/node.ts", [databaseUrl], [])
  const ask = (request: NodeRequest): Promise<NodeAnswer> => {
    child.send(request)
    return Child.answer<NodeAnswer>(child)
  }
  await Child.answer<NodeAnswer>(child)
  return {
    cpuMicros: async () => {
      const message = await ask({ _tag: "Cpu" })
      return message._tag === "Cpu" ? message.micros : Number.NaN
    },
    deliver: async () => void (await ask({ _tag: "Deliver" })),
    pause: async () => void (await ask({ _tag: "Stop" })),
    claim: async (limit) => {
      const message = await ask({ _tag: "Claim", limit })
      if (message._tag !== "Claimed") throw new Error("The node did not answer with the result of its claims.")
      return message.claims
    },
    remind: async () => {
      const message = await ask({ _tag: "Remind" })
      if (message._tag !== "Reminded") throw new Error("The node did not answer with the number of its reminders.")
      return message.count
    },
    stop: () => Child.stop(child)
  }
}
