import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as AuditTrail from "../audit/AuditTrail.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as AccountAudit from "../access/AccountAudit.ts"
import { AccessChanges } from "../access/AccessChanges.ts"
import type { Account } from "../access/Account.ts"
import { requireAccount } from "../access/AccountAccess.ts"
import { AccountStore } from "../access/AccountStore.ts"
import { Principal } from "../access/Principal.ts"
import type { TeamRef } from "../access/TeamRef.ts"
import { TeamStore } from "../access/TeamStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import * as AccountMerge from "./AccountMerge.ts"
import { type AccountFunds, withBalance } from "./Accounts.ts"
import { PatchOwnAccount } from "./OwnAccountInput.ts"

/** An account as it sees itself: with its teams and its money. */
export interface AccountDetail extends Account {
  readonly teams: ReadonlyArray<TeamRef>
  readonly funds: AccountFunds
}

const inputs: Input.Inputs<OwnAccount["Service"]> = { patch: [{ changes: PatchOwnAccount }] }

/** Shows the caller's account, and changes what the account decides itself (D-ACC-5). Operators use `Accounts`. */
export class OwnAccount extends Context.Service<
  OwnAccount,
  {
    /** Returns the account with its teams and its money, as they are stored now. */
    readonly get: Effect.Effect<AccountDetail, StorageError, Principal>
    /**
     * Changes the given fields and returns the account. Changes of different fields at the same time are all kept, also
     * those of a provisioning document. `Accounts.update` replaces the whole account: a program that has read the account before
     * this change and writes it afterwards undoes the change. The change applies to the next request of every caller (D-KEY-13).
     *
     * Fails with `ValidationError` for a field that only the operator changes.
     */
    readonly patch: (
      changes: PatchOwnAccount
    ) => Effect.Effect<AccountDetail, ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/account/OwnAccount") {
  /** The service over the stores of accounts and teams. */
  static readonly layer: Layer.Layer<OwnAccount, never, AccountStore | AuditStore | TeamStore | Transaction> =
    Layer.effect(
      OwnAccount,
      Effect.gen(function* () {
        const audit = yield* AuditTrail.make
        const store = yield* AccountStore
        const teams = yield* TeamStore
        const transaction = yield* Transaction
        const { signal } = yield* AccessChanges

        const detail = Effect.fnUntraced(function* (account: Account) {
          const found = yield* Effect.forEach(account.teamIds, teams.find)
          const funds = withBalance(yield* store.funds(account.id))
          return { ...account, teams: found.flatMap(Option.toArray), funds }
        })

        // The cached account of the caller can be a second old.
        const get = Effect.gen(function* () {
          const { account } = yield* Principal
          return yield* detail(yield* requireAccount(store, account.id))
        }).pipe(
          Effect.catchTag("AccountNotFound", (error) => Effect.die(error)),
          Tracing.span("OwnAccount.get")
        )

        const patch = Tracing.operation("OwnAccount.patch")(function* (changes: PatchOwnAccount) {
          const { account } = yield* Principal
          // The lock comes first. Otherwise this change would undo one that is committed between the read and the write.
          const before = yield* store.findForUpdate(account.id)
          if (Option.isNone(before)) return yield* Effect.die(new Error(`There is no account ${account.id}`))
          const after = AccountMerge.patch(before.value, changes)
          yield* store.update(after)
          yield* audit.changed(
            "account.patch",
            AccountAudit.kind,
            AccountAudit.of(before.value),
            AccountAudit.of(after)
          )
          // Callers are cached with their account.
          yield* signal.notify
          return yield* detail(after)
        }, transaction.run)

        return Input.service(OwnAccount, inputs, { get, patch })
      })
    ).pipe(Layer.provide(AccessChanges.layer))
}
