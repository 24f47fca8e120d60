import type { Entry, Fact } from "../Fact.ts"
import {
  disturb,
  unfinishedOf,
  mayBeGivenUp,
  type ModelClaim,
  offerPeriod,
  recoveryPeriod,
  rule,
  countCase,
  type State
} from "./State.ts"

type Disturbance = Extract<
  Fact,
  {
    readonly _tag:
      | "Started"
      | "Stopping"
      | "Stopped"
      | "Killed"
      | "Paused"
      | "Resumed"
      | "Jumped"
      | "StoreFault"
      | "Notified"
      | "Settling"
  }
>

/** Returns whether a stopping process has offered a result to an unresponsive store for as long as it has to. */
const isLate = (state: State, { elapsed }: Entry, { answer, process, sent }: ModelClaim): boolean => {
  const ended = answer?.elapsed ?? (sent ?? elapsed) + state.settings.timeout
  return elapsed - Math.max(ended, state.stopping.get(process) ?? elapsed) >= offerPeriod
}

/** Applies what happens to a process, the clock or the store. */
export const disturbed = (state: State, entry: Entry, fact: Disturbance): void => {
  switch (fact._tag) {
    case "Notified":
      state.notified = { elapsed: entry.elapsed, fact: state.facts }
      return
    case "Started":
      state.running.add(fact.process)
      state.owners.set(fact.process, fact.owner)
      if (fact.owner !== null) state.unreleased.add(fact.process)
      if (state.running.size > 1) countCase(state, "two processes run at the same time")
      break
    case "Killed":
      if (unfinishedOf(state, fact.process).length > 0) countCase(state, "a process is killed with something in flight")
      end(state, fact.process)
      break
    case "Stopping":
      if (unfinishedOf(state, fact.process).length > 0)
        countCase(state, "a process is stopped with something in flight")
      state.stopping.set(fact.process, entry.elapsed)
      break
    case "Stopped":
      rule(
        state,
        "a stopping process finishes and records everything in flight before it ends",
        unfinishedOf(state, fact.process).every((claim) => mayBeGivenUp(state, claim) || isLate(state, entry, claim))
      )
      end(state, fact.process)
      break
    case "Resumed":
      if (unfinishedOf(state, fact.process).some((claim) => claim.delivery.lease !== claim))
        countCase(state, "a process is paused until its delivery is claimed again")
      break
    case "Jumped":
      state.jumped = true
      if (state.unfinished.size > 0)
        countCase(state, `the clock is set ${fact.millis < 0 ? "back" : "forward"} with something in flight`)
      break
    case "StoreFault":
      countCase(state, `the store: ${fact.operation} ${fact.fault}`)
      wait(state, fact.process, fact.fault)
      if (fact.operation === "release" && fact.fault === "fails") state.unreleased.delete(fact.process)
      if (outageFaults.has(`${fact.operation} ${fact.fault}`))
        disturb(state, { elapsed: entry.elapsed + state.settings.pollInterval + recoveryPeriod })
      // This answer may end an outage, and then the pause before the next claim begins with it.
      if (fact.operation === "oldestDue" && fact.fault === "was slow")
        disturb(state, { elapsed: entry.elapsed + recoveryPeriod })
      break
    case "Paused":
    case "Settling":
      break
  }
  disturb(state, entry)
}

/**
 * Faults that a process takes for an outage: it asks again at the next poll, and claims once the store has answered for
 * a while.
 */
const outageFaults: ReadonlySet<string> = new Set(
  ["claim", "nextDue", "oldestDue"].flatMap((operation) => [`${operation} fails`, `${operation} loses its answer`])
)

const wait = (state: State, process: string, fault: string): void => {
  const calls = (state.waiting.get(process) ?? 0) + (fault === "is slow" ? 1 : fault === "was slow" ? -1 : 0)
  if (calls === 0) state.waiting.delete(process)
  else state.waiting.set(process, calls)
}

const end = (state: State, process: string): void => {
  state.waiting.delete(process)
  state.running.delete(process)
  for (const claim of unfinishedOf(state, process)) state.unfinished.delete(claim)
}
