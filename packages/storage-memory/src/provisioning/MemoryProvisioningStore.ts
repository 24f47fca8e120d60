import { type ProvisionedRef, ProvisioningStore } from "@frontdesk/core/provisioning/ProvisioningStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database, duplicate } from "../storage/Database.ts"

const nameOf = ({ kind, accountRef, ref }: ProvisionedRef): string => JSON.stringify([kind, accountRef, ref])

/** The `ProvisioningStore` in memory. */
export const layer: Layer.Layer<ProvisioningStore, never, Database> = Layer.effect(
  ProvisioningStore,
  Effect.map(Database, (database) =>
    ProvisioningStore.of({
      find: (ref) => database.read((state) => Option.map(HashMap.get(state.provisioned, nameOf(ref)), ({ id }) => id)),
      list: ({ accountRef, kind }, after, limit) =>
        database.read(({ provisioned }) =>
          Array.from(HashMap.values(provisioned))
            .filter((one) => one.kind === kind && one.accountRef === accountRef && one.ref > (after ?? ""))
            .toSorted((a, b) => (a.ref < b.ref ? -1 : 1))
            .slice(0, limit)
            .map(({ id, ref }) => ({ id, ref }))
        ),
      insert: (ref, id) =>
        database.modify((state) =>
          HashMap.has(state.provisioned, nameOf(ref))
            ? duplicate("ProvisioningStore.insert", "ref")
            : changed(undefined, { ...state, provisioned: HashMap.set(state.provisioned, nameOf(ref), { ...ref, id }) })
        ),
      replace: (ref, id) =>
        database.modify((state) =>
          changed(undefined, {
            ...state,
            provisioned: HashMap.modify(state.provisioned, nameOf(ref), (stored) => ({ ...stored, id }))
          })
        ),
      // Transactions run one after the other, so only one at a time can provision.
      lock: Effect.void
    })
  )
)
