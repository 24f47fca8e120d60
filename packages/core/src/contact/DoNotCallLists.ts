import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import type { AccountId } from "../access/Account.ts"
import { PermissionDenied } from "../access/AccessError.ts"
import type { Permission } from "../access/Permission.ts"
import { Principal } from "../access/Principal.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Input from "../values/Input.ts"
import * as Page from "../values/Page.ts"
import { PhoneNumber } from "../values/PhoneNumber.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { DoNotCallStore } from "./DoNotCallStore.ts"

type Failure = PermissionDenied | ValidationError | StorageError

const inputs: Input.Inputs<DoNotCallLists["Service"]> = {
  list: [{ page: Page.PageRequest }],
  add: [{ numbers: Schema.Array(PhoneNumber) }],
  remove: [{ numbers: Schema.Array(PhoneNumber) }]
}

/**
 * The do-not-call list of the caller's account (D-DNC-1).
 *
 * The list has no endpoint that could check permissions, so each method checks them (D-KEY-12). Reading needs
 * `can_read_contacts`, and changing needs `can_write_contacts`.
 */
export class DoNotCallLists extends Context.Service<
  DoNotCallLists,
  {
    /** Returns a page of the numbers on the list, sorted. */
    readonly list: (page: Page.PageRequest) => Effect.Effect<Page.Page<PhoneNumber>, Failure, Principal>
    /** Adds numbers. Returns those that were not on the list, sorted. */
    readonly add: (numbers: ReadonlyArray<PhoneNumber>) => Effect.Effect<ReadonlyArray<PhoneNumber>, Failure, Principal>
    /** Removes numbers from the list. Returns those that were on it, sorted. */
    readonly remove: (
      numbers: ReadonlyArray<PhoneNumber>
    ) => Effect.Effect<ReadonlyArray<PhoneNumber>, Failure, Principal>
  }
>()("@frontdesk/core/contact/DoNotCallLists") {
  /** Needs the store and the transactions of one storage. */
  static readonly layer: Layer.Layer<DoNotCallLists, never, AuditStore | DoNotCallStore | Transaction> = Layer.effect(
    DoNotCallLists,
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const store = yield* DoNotCallStore
      const transaction = yield* Transaction

      /** Returns the id of the caller's account. Fails with `PermissionDenied` when its key lacks the permission. */
      const accountWith = Effect.fnUntraced(function* (permission: Permission) {
        const { account, permissions } = yield* Principal
        if (!permissions.has(permission)) return yield* new PermissionDenied({ permission })
        return account.id
      })

      /** Records how many numbers were changed. The numbers themselves are personal (D-AUD-4). */
      const record = (
        operation: "doNotCall.add" | "doNotCall.remove",
        accountId: AccountId,
        numbers: ReadonlyArray<PhoneNumber>
      ) =>
        numbers.length === 0
          ? Effect.void
          : audit.record(
              operation,
              { accountId, type: "do_not_call_list", id: null },
              FieldChanges.facts({ numbers: numbers.length })
            )

      return Input.service(DoNotCallLists, inputs, {
        list: Tracing.operation("DoNotCallLists.list")(function* (page) {
          return yield* store.list(yield* accountWith("can_read_contacts"), page)
        }),
        add: Tracing.operation("DoNotCallLists.add")(function* (numbers) {
          const accountId = yield* accountWith("can_write_contacts")
          const added = yield* store.add(accountId, numbers)
          yield* record("doNotCall.add", accountId, added)
          return added
        }, transaction.run),
        remove: Tracing.operation("DoNotCallLists.remove")(function* (numbers) {
          const accountId = yield* accountWith("can_write_contacts")
          const removed = yield* store.remove(accountId, numbers)
          yield* record("doNotCall.remove", accountId, removed)
          return removed
        }, transaction.run)
      })
    })
  )
}
