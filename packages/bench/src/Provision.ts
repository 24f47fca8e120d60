import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../../server/bin/source.cjs", import.meta.url))

/** Runs another command on the database that the environment names, and returns what it prints. */
export const command = (folder: string, env: NodeJS.ProcessEnv, args: ReadonlyArray<string>): string =>
  execFileSync(process.execPath, [main, ...args], { cwd: folder, env, encoding: "utf8" })

/** Creates what a document describes, in the database that the environment names. */
export const run = async (folder: string, env: NodeJS.ProcessEnv, document: object): Promise<void> => {
  const child = spawn(process.execPath, [main, "provision", "-"], {
    cwd: folder,
    env,
    stdio: ["pipe", "ignore", "inherit"]
  })
  child.stdin.end(JSON.stringify(document))
  await once(child, "close")
  if (child.exitCode !== 0) throw new Error(`The command provision ended with the exit code ${child.exitCode}.`)
}
