import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"

/** What a reference of a provisioning document names. Refs of keys, agents and contacts count within their account. */
export interface ProvisionedRef {
  readonly kind: "account" | "team" | "api_key" | "agent" | "contact"
  /** The ref of the account it stands in; "" for accounts and teams. */
  readonly accountRef: string
  readonly ref: string
}

/** A reference and the id it has become. */
export interface StoredRef {
  readonly ref: string
  readonly id: number
}

/** Port: which row each reference of a provisioning document has become. */
export class ProvisioningStore extends Context.Service<
  ProvisioningStore,
  {
    /** The id a reference has become. */
    readonly find: (ref: ProvisionedRef) => Effect.Effect<Option.Option<number>, StorageError>
    /** The references of a kind in an account behind this one, in their order, at most `limit`; null: from the first. */
    readonly list: (
      within: Pick<ProvisionedRef, "kind" | "accountRef">,
      after: string | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredRef>, StorageError>
    /** Remembers the id. Fails with reason `duplicate` when the reference has one. */
    readonly insert: (ref: ProvisionedRef, id: number) => Effect.Effect<void, StorageError>
    /** Makes every other transaction that provisions wait until this one ends. Used inside `Transaction.run`. */
    readonly lock: Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/provisioning/ProvisioningStore") {}
