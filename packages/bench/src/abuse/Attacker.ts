import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { Attack, Told } from "./attackProcess.ts"

/** An attack that goes on until it is stopped. */
export interface Attacker {
  /** Ends the attack. Returns how many requests a second it was answered, by status. */
  readonly stop: () => Promise<Told>
}

/** Starts an attack in a process of its own, and returns once its preparation is over. */
export const start = async (attack: Attack): Promise<Attacker> => {
  const child = fork(fileURLToPath(new URL("./attackProcess.ts", import.meta.url)), [], {
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })
  child.send(attack)
  await once(child, "message")
  return {
    stop: () =>
      new Promise<Told>((resolve, reject) => {
        child.once("message", (told) => {
          /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
             -- Both ends are modules of this folder. */
          resolve(told as Told)
          child.disconnect()
        })
        child.once("error", reject)
        child.send("stop")
      })
  }
}
