import * as fs from "node:fs"

/** The unit of CPU times in `/proc`, in microseconds: Linux counts in hundredths of a second. */
const tick = 10_000

/** Reads from `/proc` the parent of a process, its own CPU ticks, and those of its children that have ended. */
const statOf = (pid: number | string) => {
  // The second field is a name in parentheses, which may contain spaces and parentheses.
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ").map(Number) ?? []
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11)
  return { parent: fields[1], own: user + system, ended: endedUser + endedSystem }
}

const isProcess = (name: string): boolean => /^\d+$/.test(name)

/** Whether the system has `/proc`. */
export const isKnown = fs.existsSync("/proc/self/stat")

/** Returns the process that started another one. Fails where {@link isKnown} is false. */
export const parentOf = (pid: number): number | undefined => statOf(pid).parent

/**
 * Returns the CPU time in microseconds of a process and of all its children, including those that have ended. Fails
 * where {@link isKnown} is false.
 */
export const familyMicros = (main: number): number => {
  const { ended, own } = statOf(main)
  let ticks = own + ended
  for (const name of fs.readdirSync("/proc").filter(isProcess)) {
    try {
      const { own, parent } = statOf(name)
      if (parent === main) ticks += own
    } catch {
      // The process has ended meanwhile.
    }
  }
  return ticks * tick
}
