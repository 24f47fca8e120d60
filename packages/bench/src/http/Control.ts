import * as inspector from "node:inspector/promises"
import process from "node:process"
import type { CpuProfile } from "./Profile.ts"

/** What the process that measures asks of a server. */
export type Question = "cpu" | "startProfile" | "stopProfile"

/** What a server tells the process that measures: its port, the microseconds of CPU time it has used, a profile. */
export type Told =
  | { readonly _tag: "Listening"; readonly port: number }
  | { readonly _tag: "Cpu"; readonly micros: number }
  | { readonly _tag: "Profiling" }
  | { readonly _tag: "Profiled"; readonly profile: CpuProfile }

/** The database a server is started on. */
export const filename = process.argv[2] ?? "frontdesk.db"

const session = new inspector.Session()

const answer = async (question: Question): Promise<Told> => {
  switch (question) {
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

const tell = (told: Told): void => {
  process.send?.(told)
}

/** Tells that a server listens; from then on it answers questions, and it ends with the process that measures. */
export const listening = (port: number): void => {
  process.on("message", (question: Question) => void answer(question).then(tell))
  process.once("disconnect", () => process.exit())
  tell({ _tag: "Listening", port })
}
