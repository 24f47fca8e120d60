import * as DateTime from "effect/DateTime"
import type { SimulatedCall } from "./SimulatedScript.ts"

/**
 * Returns the id of a simulated call: `sim_<start>_<pace>_<digits>_<ref>`.
 *
 * The id has all data of the call. A new process can therefore return the state of a call that an earlier process started.
 */
export const make = (call: Omit<SimulatedCall, "providerCallId">, ref: string): string =>
  `sim_${call.startedAt.epochMilliseconds.toString(36)}_${call.pace}_${call.to.slice(1)}_${ref}`

/** Returns the call that an id describes, or undefined when the id was not made by {@link make}. */
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
