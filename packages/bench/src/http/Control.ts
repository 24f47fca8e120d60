import * as inspector from "node:inspector/promises"
import process from "node:process"
import type { CpuProfile } from "./Profile.ts"

/** A request of the process that measures to a server. */
export type Request = "cpu" | "statements" | "startProfile" | "stopProfile"

/** A message of a server to the process that measures: its port, its CPU time in microseconds, its statements, or a profile. */
export type Message =
  | { readonly _tag: "Listening"; readonly port: number }
  | { readonly _tag: "Cpu"; readonly micros: number }
  | { readonly _tag: "Statements"; readonly bytes: string }
  | { readonly _tag: "Profiling" }
  | { readonly _tag: "Profiled"; readonly profile: CpuProfile }

/** The URL of the database of this server. */
export const databaseUrl = process.argv[2] ?? "sqlite:frontdesk.db"

const session = new inspector.Session()

const answer = async (request: Exclude<Request, "statements">): Promise<Message> => {
  switch (request) {
    case "cpu": {
      const { system, user } = process.cpuUsage()
      return { _tag: "Cpu", micros: system + user }
    }
    case "startProfile":
      session.connect()
      await session.post("Profiler.enable")
      await session.post("Profiler.setSamplingInterval", { interval: 200 })
      await session.post("Profiler.start")
      return { _tag: "Profiling" }
    case "stopProfile": {
      const { profile } = await session.post("Profiler.stop")
      session.disconnect()
      return { _tag: "Profiled", profile }
    }
  }
}

const send = (message: Message): void => {
  process.send?.(message)
}

/** Reports that this server listens, and then answers requests. The process ends with the process that measures. */
export const listening = (port: number): void => {
  process.on("message", (request: Request) => {
    // Only the recorder of statements answers this, in its own module.
    if (request !== "statements") void answer(request).then(send)
  })
  process.once("disconnect", () => process.exit())
  send({ _tag: "Listening", port })
}
