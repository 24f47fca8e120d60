import * as Result from "effect/Result"
import type { Money } from "../values/Money.ts"
import { ConcurrencyLimitReached, InsufficientFunds } from "./CallError.ts"

/** The state of the account that starts a call, and what the call needs. */
export interface StartConditions {
  /** The maximum number of running calls of the account. */
  readonly maxRunning: number
  /** How many calls of the account have not ended. */
  readonly running: number
  /** Whether the balance covers the first minute. */
  readonly isCovered: boolean
  /** What the account can spend. The error repeats it. */
  readonly balance: Money
  /** The price of the first minute, which is reserved when the call starts. */
  readonly required: Money
}

/**
 * Checks whether an account may start one more call (D-CALL-6).
 *
 * Fails with `ConcurrencyLimitReached` when the maximum number of calls runs. Otherwise it fails with `InsufficientFunds`
 * when the balance does not cover the first minute (C-4.2-3).
 */
export const check = (
  conditions: StartConditions
): Result.Result<void, ConcurrencyLimitReached | InsufficientFunds> => {
  const { balance, isCovered, maxRunning, required, running } = conditions
  if (running >= maxRunning) return Result.fail(new ConcurrencyLimitReached({ limit: maxRunning }))
  return isCovered ? Result.void : Result.fail(new InsufficientFunds({ balance, required }))
}
