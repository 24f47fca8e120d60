import type { DeliveryState } from "./Delivery.ts"

/**
 * What changes the state of a delivery (D-DEL-6).
 *
 * - `claim`: a process claims the delivery; from `leased` only after the lease has ended.
 * - `release`: a process starts and recovers the lease of the dead process that had its name.
 * - `postpone`: the process that claimed the delivery postpones it unsent.
 * - `succeed`: the receiver answered 2xx.
 * - `retry`: an attempt failed, and the retry plan has another one.
 * - `give_up`: the last attempt failed, a manual attempt failed, the receiver answered 410, the delivery was claimed too
 *   often without a result (D-DEL-11), or the stored delivery cannot be read.
 * - `cancel`: the webhook was turned off, or was disabled by a 410. The deliveries of a deleted webhook are deleted.
 * - `redeliver`: the owner or the operator requested one more attempt.
 */
export type DeliveryTrigger =
  | "claim"
  | "release"
  | "postpone"
  | "succeed"
  | "retry"
  | "give_up"
  | "cancel"
  | "redeliver"

/** The next state by state and trigger. A trigger that a state does not name has no effect there. */
export const transitions: Readonly<Record<DeliveryState, Readonly<Partial<Record<DeliveryTrigger, DeliveryState>>>>> = {
  pending: { claim: "leased", cancel: "cancelled" },
  leased: {
    claim: "leased",
    release: "pending",
    postpone: "pending",
    succeed: "delivered",
    retry: "pending",
    give_up: "failed",
    cancel: "cancelled"
  },
  delivered: { redeliver: "pending" },
  failed: { redeliver: "pending" },
  cancelled: { redeliver: "pending" }
}

/** Returns the state after a trigger; the same state when the trigger has no effect there. */
export const after = (state: DeliveryState, trigger: DeliveryTrigger): DeliveryState =>
  transitions[state][trigger] ?? state
