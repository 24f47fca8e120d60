import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { Imitation } from "./decoyProcess.ts"

/**
 * A server beside the one that is measured. An attack on it uses the machine, but not the victim's server.
 */
export interface Decoy {
  /** Makes the decoy imitate another server: its rate of answers, their sizes and its CPU time. Returns the URL. */
  readonly imitate: (imitation: Imitation) => Promise<string>
  readonly end: () => void
}

/** Starts a decoy in its own process. */
export const open = (): Decoy => {
  const child = fork(fileURLToPath(new URL("./decoyProcess.ts", import.meta.url)), [], {
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })
  return {
    imitate: async (imitation) => {
      child.send(imitation)
      /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
         -- Both ends are modules of this folder. */
      const [url] = (await once(child, "message")) as [string]
      return url
    },
    end: () => child.disconnect()
  }
}
