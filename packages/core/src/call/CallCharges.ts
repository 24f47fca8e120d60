import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { balance } from "../access/Account.ts"
import { AccountStore } from "../access/AccountStore.ts"
import type { FundsChange } from "../access/FundMovement.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as Money from "../values/Money.ts"
import * as Tracing from "../values/Tracing.ts"
import { settle, totalCharge } from "./Billing.ts"
import type { Call } from "./Call.ts"
import { isTerminal } from "./CallStatus.ts"

/** Reserves and charges the money of calls. Its methods must run inside the transaction that changes the call. */
export class CallCharges extends Context.Service<
  CallCharges,
  {
    /**
     * Reserves the price of up to `minutes` more minutes, as far as the balance covers whole minutes. Returns how many
     * minutes it reserved. That is 0 when the balance covers no minute, when the call has no price, and when `minutes` is not
     * positive. Two calls never reserve the same money.
     */
    readonly reserve: (call: Call, minutes: number) => Effect.Effect<number, StorageError>
    /**
     * Releases what an ended call has reserved for the minutes after its first one. This is needed when a node of an older
     * version has settled the call during a rolling upgrade. Such a node knows only the reservation of the first minute, and
     * releases only that.
     */
    readonly releaseRest: (call: Call) => Effect.Effect<void, StorageError>
    /**
     * Settles a call that has ended, and returns it with its charge. It releases the call's reservation and takes the
     * charge from the balance, at most as much as the balance covers (D-BILL-8).
     *
     * When the call had ended before, this corrects its charge: the difference is taken from the balance or given back.
     *
     * @param before the call as it is stored; its status decides what is reserved and what was charged
     * @param call the call after its end
     * @param talkSeconds whole seconds from answer to end; null when the call was never answered
     */
    readonly settle: (before: Call, call: Call, talkSeconds: number | null) => Effect.Effect<Call, StorageError>
  }
>()("@frontdesk/core/call/CallCharges") {
  /** The service over the accounts. */
  static readonly layer: Layer.Layer<CallCharges, never, AccountStore> = Layer.effect(
    CallCharges,
    Effect.gen(function* () {
      const accounts = yield* AccountStore

      /** Returns the balance of the call's account and locks it, so that no other transaction spends the same money. */
      const lockedBalance = (call: Call) => Effect.map(accounts.lockFunds(call.accountId), balance)

      const changeFunds = Effect.fnUntraced(function* ({ accountId, callId }: Call, change: FundsChange) {
        yield* accounts.changeFunds(accountId, change, { callId, at: yield* DateTime.now })
      })

      return CallCharges.of({
        reserve: Tracing.operation("CallCharges.reserve")(function* (call, minutes) {
          const price = call.billing.pricePerMinute
          if (minutes <= 0 || price === 0) return 0
          const covered = Math.min(minutes, Math.floor((yield* lockedBalance(call)) / price))
          if (covered > 0) yield* changeFunds(call, { reservations: Money.Money.make(price * covered) })
          return covered
        }),
        releaseRest: Tracing.operation("CallCharges.releaseRest")(function* (call) {
          const rest = Money.times(call.billing.pricePerMinute, call.reservedMinutes - 1)
          yield* changeFunds(call, { reservations: Money.subtract(Money.zero, rest) })
        }),
        settle: Tracing.operation("CallCharges.settle")(function* (before, call, talkSeconds) {
          const isOpen = !isTerminal(before.status)
          const price = before.billing.pricePerMinute
          const reserved = isOpen ? Money.Money.make(price * before.reservedMinutes) : Money.zero
          const charged = isOpen ? Money.zero : totalCharge(before.billing)
          const available = Money.sum(yield* lockedBalance(call), Money.sum(reserved, charged))
          const billing = settle(call.billing, talkSeconds, Money.subtract(available, call.billing.initialCharge))
          yield* changeFunds(call, {
            reservations: Money.subtract(Money.zero, reserved),
            charges: Money.subtract(totalCharge(billing), charged)
          })
          return { ...call, billing }
        })
      })
    })
  )
}
