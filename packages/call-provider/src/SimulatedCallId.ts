import * as DateTime from "effect/DateTime"
import type { SimulatedCall } from "./SimulatedScript.ts"

/**
 * The id of a simulated call: everything there is to know about it, `sim_<start>_<pace>_<digits>_<ref>`.
 *
 * So the simulation needs no memory: a new process can say how a call of an old one stands.
 */
export const make = (call: Omit<SimulatedCall, "providerCallId">, ref: string): string =>
  `sim_${call.startedAt.epochMilliseconds.toString(36)}_${call.pace}_${call.to.slice(1)}_${ref}`

/** The call of an id; undefined when the id is none of the simulation's. */
export const parse = (providerCallId: string): SimulatedCall | undefined => {
  const match = /^sim_([0-9a-z]{1,9})_(\d+(?:\.\d+)?(?:e[+-]?\d+)?)_(\d{7,15})_./.exec(providerCallId)
  if (match === null) return undefined
  const [, start = "", pace, digits] = match
  return {
    providerCallId,
    to: `+${digits}`,
    startedAt: DateTime.makeUnsafe(Number.parseInt(start, 36)),
    pace: Number(pace)
  }
}
