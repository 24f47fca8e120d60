import * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"

/**
 * Makes the function that records a change of a do-not-call list: how many numbers were changed, unless there are none. The numbers
 * themselves are personal (D-AUD-4). Call it in the transaction of the change.
 */
export const make = Effect.map(
  AuditTrail.make,
  (audit) => (operation: "doNotCall.add" | "doNotCall.remove", owner: AccountId, numbers: ReadonlyArray<PhoneNumber>) =>
    numbers.length === 0
      ? Effect.void
      : audit.record(
          operation,
          { accountId: owner, type: "do_not_call_list", id: null },
          FieldChanges.facts({ numbers: numbers.length })
        )
)
