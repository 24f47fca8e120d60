import type { Entry, Fact } from "../Fact.ts"
import { disturb, held, mayBeGivenUp, type ModelClaim, persistence, quiet, rule, saw, type State } from "./State.ts"

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
      | "Troubled"
      | "Nudged"
      | "Settling"
  }
>

/** Whether a process that stops has offered a result for as long as it may, to a store that did not answer. */
const isLate = (state: State, { elapsed }: Entry, { answer, process, sent }: ModelClaim): boolean => {
  const ended = answer?.elapsed ?? (sent ?? elapsed) + state.settings.timeout
  return elapsed - Math.max(ended, state.stopping.get(process) ?? elapsed) >= persistence
}

/** What is done to processes, to the clock, and by the store to its callers. */
export const disturbed = (state: State, entry: Entry, fact: Disturbance): void => {
  switch (fact._tag) {
    case "Nudged":
      state.notified = { elapsed: entry.elapsed, fact: state.facts }
      return
    case "Started":
      state.running.add(fact.process)
      state.owners.set(fact.process, fact.owner)
      if (fact.owner !== null) state.unreleased.add(fact.process)
      if (state.running.size > 1) saw(state, "two processes run at once")
      break
    case "Killed":
      if (held(state, fact.process).length > 0) saw(state, "a process is killed with something in flight")
      end(state, fact.process)
      break
    case "Stopping":
      if (held(state, fact.process).length > 0) saw(state, "a process is stopped with something in flight")
      state.stopping.set(fact.process, entry.elapsed)
      break
    case "Stopped":
      rule(
        state,
        "a process that stops finishes and records what is in flight first",
        held(state, fact.process).every((claim) => mayBeGivenUp(state, claim) || isLate(state, entry, claim))
      )
      end(state, fact.process)
      break
    case "Resumed":
      if (held(state, fact.process).some((claim) => claim.delivery.lease !== claim))
        saw(state, "a process is paused until its lease is another's")
      break
    case "Jumped":
      state.jumped = true
      if (state.inHand.size > 0)
        saw(state, `the clock is set ${fact.millis < 0 ? "back" : "on"} with something in flight`)
      break
    case "Troubled":
      saw(state, `the store: ${fact.operation} ${fact.trouble}`)
      wait(state, fact.process, fact.trouble)
      if (fact.operation === "release" && fact.trouble === "fails") state.unreleased.delete(fact.process)
      if (outOfReach.has(`${fact.operation} ${fact.trouble}`))
        disturb(state, { elapsed: entry.elapsed + state.settings.pollInterval + quiet })
      // The answer may be the first after the store was away: the pause begins with it.
      if (fact.operation === "oldestDue" && fact.trouble === "was slow")
        disturb(state, { elapsed: entry.elapsed + quiet })
      break
    case "Paused":
    case "Settling":
      break
  }
  disturb(state, entry)
}

/** After these a process asks again at the next poll, and claims when it has been answered for some time. */
const outOfReach: ReadonlySet<string> = new Set(
  ["claim", "nextDue", "oldestDue"].flatMap((operation) => [`${operation} fails`, `${operation} loses its answer`])
)

const wait = (state: State, process: string, trouble: string): void => {
  const calls = (state.waiting.get(process) ?? 0) + (trouble === "is slow" ? 1 : trouble === "was slow" ? -1 : 0)
  if (calls === 0) state.waiting.delete(process)
  else state.waiting.set(process, calls)
}

const end = (state: State, process: string): void => {
  state.waiting.delete(process)
  state.running.delete(process)
  for (const claim of held(state, process)) state.inHand.delete(claim)
}
