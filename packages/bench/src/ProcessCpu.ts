import * as fs from "node:fs"

/** Linux counts the time of a process in hundredths of a second, whatever its own clock does. */
const tick = 10_000

/** What `/proc` tells of a process: its parent, and the ticks of itself and of its children that have ended. */
const statOf = (pid: number | string) => {
  // The second field is a name in parentheses, in which anything may stand.
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
 * Returns the CPU time in microseconds of a process and of all its children, those that have ended too. Fails where
 * {@link isKnown} is false.
 */
export const familyMicros = (main: number): number => {
  const { ended, own } = statOf(main)
  let ticks = own + ended
  for (const name of fs.readdirSync("/proc").filter(isProcess)) {
    try {
      const { own, parent } = statOf(name)
      if (parent === main) ticks += own
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks * tick
}
