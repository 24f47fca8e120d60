import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { Attack, Command, Told } from "./attackProcess.ts"

/** An attack that goes on until it is stopped. */
export interface Attacker {
  /** Ends the attack and cuts off what is under way. Returns what was answered. */
  readonly stop: () => Promise<Told>
}

/** A process that attacks. */
export interface AttackerProcess {
  /** Starts an attack, and returns once its preparation is over. */
  readonly start: (attack: Attack) => Promise<Attacker>
  readonly end: () => void
}

/** Starts a process that attacks when it is told to. */
export const open = (): AttackerProcess => {
  const child = fork(fileURLToPath(new URL("./attackProcess.ts", import.meta.url)), [], {
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })
  const tell = async (command: Command): Promise<Told> => {
    child.send(command)
    /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
       -- Both ends are modules of this folder. */
    const [told] = (await once(child, "message")) as [Told]
    return told
  }
  return {
    start: async (attack) => {
      await tell(attack)
      return { stop: () => tell("stop") }
    },
    end: () => child.disconnect()
  }
}
