import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { AnswersByStatus, Attack, Command } from "./attackProcess.ts"

/** An attack that is running. */
export interface Attacker {
  /** Ends the attack and aborts its requests. Returns the answers to it. */
  readonly stop: () => Promise<AnswersByStatus>
}

/** A process that makes attacks. */
export interface AttackerProcess {
  /** Starts an attack, and returns after its preparation. */
  readonly start: (attack: Attack) => Promise<Attacker>
  readonly end: () => void
}

/** Starts a process that makes attacks. */
export const open = (): AttackerProcess => {
  const child = fork(fileURLToPath(new URL("./attackProcess.ts", import.meta.url)), [], {
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })
  const send = async (command: Command): Promise<AnswersByStatus> => {
    child.send(command)
    /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
       -- Both ends are modules of this folder. */
    const [answers] = (await once(child, "message")) as [AnswersByStatus]
    return answers
  }
  return {
    start: async (attack) => {
      await send(attack)
      return { stop: () => send("stop") }
    },
    end: () => child.disconnect()
  }
}
