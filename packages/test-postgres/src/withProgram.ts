import { spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { withDatabase } from "./withDatabase.ts"

/** A program that serves HTTP. */
export interface Program {
  /** The URL that it printed first. */
  readonly url: string
}

/** A program that serves HTTP on a database of its own. */
export interface ProgramWithDatabase extends Program {
  readonly databaseUrl: string
}

const firstUrl = /https?:\/\/[\w.:[\]-]+/

/**
 * Starts a module with `PORT=0`, waits for a URL in its output, runs the test, and sends SIGTERM. Rejects when the program then
 * ends with another status than 0.
 *
 * @param env further variables of its environment
 */
export const withProcess = async (
  module: URL,
  test: (program: Program) => Promise<void>,
  env: Readonly<Record<string, string>> = {}
): Promise<void> => {
  const child = spawn(process.execPath, [fileURLToPath(module)], {
    env: { ...process.env, ...env, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const complaints = text(child.stderr)
  const exited = once(child, "exit")
  try {
    await test({ url: await urlOf(child.stdout, complaints) })
  } finally {
    child.kill("SIGTERM")
    await exited
  }
  // After its hooks, Nest ends with the signal, and Next with its number.
  const { exitCode, signalCode } = child
  if (exitCode === 0 || exitCode === 143 || signalCode === "SIGTERM") return
  throw new Error(`The program ended with ${exitCode}: ${await complaints}`)
}

/** Does the same as {@link withProcess}, with the URL of an empty database in `DATABASE_URL`. */
export const withProgram = (module: URL, test: (program: ProgramWithDatabase) => Promise<void>): Promise<void> =>
  withDatabase((databaseUrl) =>
    withProcess(module, (program) => test({ ...program, databaseUrl }), { DATABASE_URL: databaseUrl })
  )

/** Returns the first URL of the output. Rejects with what the program has complained about when it ends before. */
const urlOf = (output: Readable, complaints: Promise<string>): Promise<string> =>
  new Promise((resolve, reject) => {
    let printed = ""
    // The output is read to its end. A program that prints to a closed pipe would end.
    output.setEncoding("utf8").on("data", (chunk: string) => {
      printed += chunk
      const url = firstUrl.exec(printed)?.[0]
      if (url !== undefined && printed.includes("\n")) resolve(url)
    })
    output.on("end", () => {
      complaints.then((text) => reject(new Error(`The program ended before it printed a URL: ${text}`)), reject)
    })
  })
