import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AuditStore } from "../audit/AuditStore.ts"
import { Principal } from "../access/Principal.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Input from "../values/Input.ts"
import * as Page from "../values/Page.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { ChangedNumbers, DoNotCallQuery } from "./DoNotCallInput.ts"
import * as DoNotCallAudit from "./DoNotCallAudit.ts"
import { DoNotCallStore } from "./DoNotCallStore.ts"

type Failure = ValidationError | StorageError

const inputs: Input.Inputs<DoNotCallLists["Service"]> = {
  list: [{ query: DoNotCallQuery }, { page: Page.PageRequest }],
  add: [{ numbers: ChangedNumbers }],
  remove: [{ numbers: ChangedNumbers }]
}

/** The do-not-call list of the caller's account (D-DNC-1). */
export class DoNotCallLists extends Context.Service<
  DoNotCallLists,
  {
    /** Returns a page of the numbers on the list, sorted. With a filter it has one number, or none. */
    readonly list: (
      query: DoNotCallQuery,
      page: Page.PageRequest
    ) => Effect.Effect<Page.Page<PhoneNumber>, Failure, Principal>
    /** Adds at most `maxChangedNumbers` numbers. Returns those that were not on the list, sorted. */
    readonly add: (numbers: ChangedNumbers) => Effect.Effect<ReadonlyArray<PhoneNumber>, Failure, Principal>
    /** Removes at most `maxChangedNumbers` numbers from the list. Returns those that were on it, sorted. */
    readonly remove: (numbers: ChangedNumbers) => Effect.Effect<ReadonlyArray<PhoneNumber>, Failure, Principal>
  }
>()("@frontdesk/core/contact/DoNotCallLists") {
  /** Needs the store and the transactions of one storage. */
  static readonly layer: Layer.Layer<DoNotCallLists, never, AuditStore | DoNotCallStore | Transaction> = Layer.effect(
    DoNotCallLists,
    Effect.gen(function* () {
      const record = yield* DoNotCallAudit.make
      const store = yield* DoNotCallStore
      const transaction = yield* Transaction

      const accountId = Effect.map(Principal, ({ account }) => account.id)

      return Input.service(DoNotCallLists, inputs, {
        list: Tracing.operation("DoNotCallLists.list")(function* (query, page) {
          return yield* store.list(yield* accountId, query, page)
        }),
        add: Tracing.operation("DoNotCallLists.add")(function* (numbers) {
          const owner = yield* accountId
          const added = yield* store.add(owner, numbers)
          yield* record("doNotCall.add", owner, added)
          return added
        }, transaction.run),
        remove: Tracing.operation("DoNotCallLists.remove")(function* (numbers) {
          const owner = yield* accountId
          const removed = yield* store.remove(owner, numbers)
          yield* record("doNotCall.remove", owner, removed)
          return removed
        }, transaction.run)
      })
    })
  )
}
