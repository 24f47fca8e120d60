import { expect } from "vitest"
import { type Kind, operate, operations, requests, type Target } from "./tenancy.ts"
import { type Caller, textOf } from "./world.ts"

/** Sends requests of every operation, of which those that name a row name one that an earlier request made. */
export const askEverything = async (caller: Caller, ids: Target["ids"], teamId: number): Promise<void> => {
  const made: { [K in Kind]?: string } = {}
  for (const operation of [...operations, ...operations].toSorted((a, b) => rank(a) - rank(b))) {
    for (const n of [1, 2]) {
      const target = { ids: { ...ids, ...made }, teams: [teamId], n, agent: 0 }
      const asked = requests[operation](target)
      const answer = await operate(caller, asked)
      expect([operation, answer.status, answer.status < 500]).toEqual([operation, answer.status, true])
      const id = textOf(answer.json["id"])
      if (asked.makes !== undefined && asked.makes !== "delivery" && id !== "") made[asked.makes] = id
    }
  }
}

/** What makes something comes first, what deletes it last. */
const rank = (operation: string): number =>
  /\.(create|start|set)$/.test(operation) ? 0 : operation.endsWith(".delete") ? 2 : 1
