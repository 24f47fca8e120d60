import { type ProvisionedRef, ProvisioningStore } from "@frontdesk/core/provisioning/ProvisioningStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"

const RefRow = Schema.Struct({ id: Schema.Int, ref: Schema.String })

const params = ({ accountRef, kind, ref }: ProvisionedRef) => [kind, accountRef, ref]

/** The `ProvisioningStore` in a SQL database. */
export const layer: Layer.Layer<ProvisioningStore, never, Database> = Layer.effect(
  ProvisioningStore,
  Effect.map(Database, (database) => {
    const found = database.first("ProvisioningStore.find", Column.Key)
    const listed = database.all("ProvisioningStore.list", RefRow)
    const inserted = database.run("ProvisioningStore.insert")
    const replaced = database.run("ProvisioningStore.replace")

    return ProvisioningStore.of({
      find: (ref) =>
        Effect.map(
          found(
            "SELECT row_id AS id FROM provisioned_ref WHERE kind = ?1 AND account_ref = ?2 AND ref = ?3",
            params(ref)
          ),
          Option.map(({ id }) => id)
        ),
      list: ({ accountRef, kind }, after, limit) =>
        listed(
          `SELECT row_id AS id, ref FROM provisioned_ref WHERE kind = ?1 AND account_ref = ?2 AND ref > ?3
            ORDER BY ref LIMIT ${limit}`,
          [kind, accountRef, after ?? ""]
        ),
      insert: (ref, id) =>
        inserted("INSERT INTO provisioned_ref (kind, account_ref, ref, row_id) VALUES (?1, ?2, ?3, ?4)", [
          ...params(ref),
          id
        ]),
      replace: (ref, id) =>
        replaced("UPDATE provisioned_ref SET row_id = ?4 WHERE kind = ?1 AND account_ref = ?2 AND ref = ?3", [
          ...params(ref),
          id
        ]),
      lock: database.lock("ProvisioningStore.lock", 0)
    })
  })
)
