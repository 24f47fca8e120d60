import { PostgresStorage } from "@frontdesk/storage-postgres"
import { SqliteClient, SqliteStorage } from "@frontdesk/storage-sqlite"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseUrl } from "./settings/DatabaseUrl.ts"

type File = Exclude<DatabaseUrl, { readonly _tag: "Postgres" }>

const fileOf = (database: File) => ({ filename: database._tag === "Memory" ? ":memory:" : database.path })

/** Every store, on the database of the settings, brought to the present schema. */
export const layer = (database: DatabaseUrl): Layer.Layer<SqliteStorage.Stores | SqlClient, SqlError | StorageError> =>
  database._tag === "Postgres" ? PostgresStorage.layer({ url: database.url }) : SqliteStorage.layer(fileOf(database))

/** A client for that database as it is, which only reads; a file must be there. */
export const layerReader = (database: DatabaseUrl): Layer.Layer<SqlClient, SqlError> =>
  database._tag === "Postgres"
    ? PostgresStorage.layerClient({ url: database.url })
    : SqliteClient.layer({ ...fileOf(database), readonly: true })

/** The client of that database alone. */
export const layerClient = (database: DatabaseUrl): Layer.Layer<SqlClient, SqlError> =>
  database._tag === "Postgres"
    ? PostgresStorage.layerClient({ url: database.url })
    : SqliteClient.layer(fileOf(database))
