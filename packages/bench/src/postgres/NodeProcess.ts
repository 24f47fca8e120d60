import * as Child from "../http/Child.ts"

/** What a node is asked for. */
export type NodeQuestion =
  | { readonly _tag: "Cpu" }
  | { readonly _tag: "Deliver" }
  | { readonly _tag: "Stop" }
  | { readonly _tag: "Claim"; readonly limit: number }

/** What a node tells: the microseconds of CPU time it has used, or what its claims came to. */
export type NodeTold =
  | { readonly _tag: "Cpu"; readonly micros: number }
  | { readonly _tag: "Claimed"; readonly claims: Claims }

/** What the claims of a node came to. */
export interface Claims {
  /** Those that took something. */
  readonly claims: number
  /** Those that took nothing although something was due: others were just taking it. */
  readonly empty: number
  readonly rows: number
}

/** The reference server behind its HTTP API, in a process of its own. */
export interface NodeProcess {
  /** The CPU time it has used so far, in microseconds. */
  readonly cpuMicros: () => Promise<number>
  /** Delivers from now on. */
  readonly deliver: () => Promise<void>
  /** Delivers no more, once what is in flight is recorded. */
  readonly pause: () => Promise<void>
  /** Takes all that is due, so many at a time, and sends nothing. */
  readonly claim: (limit: number) => Promise<Claims>
  readonly stop: () => Promise<void>
}

/** Starts a node on a database, and waits until it is ready. */
export const start = async (databaseUrl: string): Promise<NodeProcess> => {
  const child = Child.start("../postgres/node.ts", [databaseUrl], [])
  const ask = (question: NodeQuestion): Promise<NodeTold> => {
    child.send(question)
    return Child.answer<NodeTold>(child)
  }
  await Child.answer<NodeTold>(child)
  return {
    cpuMicros: async () => {
      const told = await ask({ _tag: "Cpu" })
      return told._tag === "Cpu" ? told.micros : Number.NaN
    },
    deliver: async () => void (await ask({ _tag: "Deliver" })),
    pause: async () => void (await ask({ _tag: "Stop" })),
    claim: async (limit) => {
      const told = await ask({ _tag: "Claim", limit })
      if (told._tag !== "Claimed") throw new Error("The node has claimed nothing.")
      return told.claims
    },
    stop: () => Child.stop(child)
  }
}
