import { execFile } from "node:child_process"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as Schema from "effect/Schema"
import { Outcome, Task } from "./senderTask.ts"

/** Runs a task in a process of its own. Returns what the process prints. */
export const run = async (task: typeof Task.Type, environment: Readonly<Record<string, string>> = {}) => {
  const worker = fileURLToPath(new URL("senderWorker.ts", import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--expose-gc", worker, Schema.encodeSync(Task)(task)],
    { env: { ...process.env, ...environment } }
  )
  return Schema.decodeUnknownSync(Outcome)(stdout)
}
