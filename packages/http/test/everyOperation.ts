import { expect } from "vitest"
import { operate, operations, requests } from "./operationRequests.ts"
import type { Kind, Target } from "./operations/OperationRequest.ts"
import { type Caller, textOf } from "./testApi.ts"

/**
 * Sends four requests of each operation: two, and both again, so that a repeat with an `Idempotency-Key` is a replay. A
 * request names the newest record that an earlier request has created, otherwise that of `ids`. Fails when
 * an answer has a status from 500.
 */
export const requestEveryOperation = async (caller: Caller, ids: Target["ids"], teamId: number): Promise<void> => {
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

/** Orders the operations: those that create records first, and those that delete them last. */
const rank = (operation: string): number =>
  /\.(create|start|set)$/.test(operation) ? 0 : operation.endsWith(".delete") ? 2 : 1
