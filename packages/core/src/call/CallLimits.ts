import * as Result from "effect/Result"
import type { Money } from "../values/Money.ts"
import { ConcurrencyLimitReached, InsufficientFunds } from "./CallError.ts"

/** What the account of a new call has, and what the call needs. */
export interface StartLimits {
  /** How many calls of the account may run at once. */
  readonly maxRunning: number
  /** How many of its calls run now. */
  readonly running: number
  /** Whether the balance covers the first minute. */
  readonly isCovered: boolean
  readonly balance: Money
  /** The price of the first minute, which is reserved when the call starts. */
  readonly required: Money
}

/**
 * Checks whether an account may start one more call (D-CALL-6).
 *
 * Fails with `ConcurrencyLimitReached` when as many calls run as may, and then with `InsufficientFunds` when the balance does
 * not cover the first minute.
 */
export const check = (limits: StartLimits): Result.Result<void, ConcurrencyLimitReached | InsufficientFunds> => {
  const { balance, isCovered, maxRunning, required, running } = limits
  if (running >= maxRunning) return Result.fail(new ConcurrencyLimitReached({ limit: maxRunning }))
  return isCovered ? Result.void : Result.fail(new InsufficientFunds({ balance, required }))
}
