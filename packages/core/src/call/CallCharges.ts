import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { balance } from "../access/Account.ts"
import { AccountStore } from "../access/AccountStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as Money from "../values/Money.ts"
import { settle, totalCharge } from "./Billing.ts"
import type { Call } from "./Call.ts"
import { isTerminal } from "./CallStatus.ts"

/** Moves the money of calls. Its methods are used inside the transaction that changes the call. */
export class CallCharges extends Context.Service<
  CallCharges,
  {
    /**
     * Reserves the price of so many more minutes, or of as many as the balance covers, and returns how many. Two calls
     * never reserve the same money.
     */
    readonly reserve: (call: Call, minutes: number) => Effect.Effect<number, StorageError>
    /**
     * Releases what is still reserved for a call that has ended, beyond its first minute. A node of a version without
     * reservations that settles a call, while nodes are upgraded one by one, releases the first minute alone.
     */
    readonly releaseRest: (call: Call) => Effect.Effect<void, StorageError>
    /**
     * Returns the call with its charge for `talked` seconds, null when it was never answered: what was reserved is
     * released, and the charge is taken from the balance, as far as that goes.
     *
     * The charge of a call that had ended is corrected: the difference is taken or given back.
     *
     * @param before the call as it was, which tells what is reserved and what was charged
     */
    readonly settle: (before: Call, call: Call, talked: number | null) => Effect.Effect<Call, StorageError>
  }
>()("@frontdesk/core/call/CallCharges") {
  /** The service over the accounts. */
  static readonly layer: Layer.Layer<CallCharges, never, AccountStore> = Layer.effect(
    CallCharges,
    Effect.gen(function* () {
      const accounts = yield* AccountStore

      /** The balance, which nothing else changes until the transaction ends. */
      const lockedBalance = Effect.fnUntraced(function* (call: Call) {
        yield* accounts.changeFunds(call.accountId, {})
        return balance(yield* accounts.funds(call.accountId))
      })

      return CallCharges.of({
        reserve: Effect.fn("CallCharges.reserve")(function* (call, minutes) {
          const price = call.billing.pricePerMinute
          if (minutes <= 0 || price === 0) return 0
          const covered = Math.min(minutes, Math.floor((yield* lockedBalance(call)) / price))
          if (covered > 0)
            yield* accounts.changeFunds(call.accountId, { reservations: Money.Money.make(price * covered) })
          return covered
        }),
        releaseRest: Effect.fn("CallCharges.releaseRest")(function* ({ accountId, billing, reservedMinutes }) {
          const rest = Money.times(billing.pricePerMinute, reservedMinutes - 1)
          yield* accounts.changeFunds(accountId, { reservations: Money.subtract(Money.zero, rest) })
        }),
        settle: Effect.fn("CallCharges.settle")(function* (before, call, talked) {
          const isOpen = !isTerminal(before.status)
          const price = before.billing.pricePerMinute
          const reserved = isOpen ? Money.Money.make(price * before.reservedMinutes) : Money.zero
          const charged = isOpen ? Money.zero : totalCharge(before.billing)
          const available = Money.sum(yield* lockedBalance(call), Money.sum(reserved, charged))
          const billing = settle(call.billing, talked, Money.subtract(available, call.billing.initialCharge))
          yield* accounts.changeFunds(call.accountId, {
            reservations: Money.subtract(Money.zero, reserved),
            charges: Money.subtract(totalCharge(billing), charged)
          })
          return { ...call, billing }
        })
      })
    })
  )
}
