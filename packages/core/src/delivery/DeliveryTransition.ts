import type { DeliveryState } from "./Delivery.ts"

/**
 * What moves a delivery from state to state (D-DEL-6).
 *
 * - `claim`: a dispatcher takes it; also from `leased`, when the lease has ended.
 * - `release`: a dispatcher that starts frees what its predecessor held.
 * - `postpone`: a dispatcher puts back unsent what it has taken.
 * - `succeed`: the receiver took it.
 * - `retry`: an attempt failed and the plan has another one.
 * - `give_up`: the last attempt failed, a manual one failed, or the receiver is gone.
 * - `cancel`: its webhook was deleted or turned off.
 * - `redeliver`: its owner asks for it once more.
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

/** Where each trigger leads; a trigger that a state does not name leaves a delivery as it is. */
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

/** The state after a trigger. */
export const after = (state: DeliveryState, trigger: DeliveryTrigger): DeliveryState =>
  transitions[state][trigger] ?? state
