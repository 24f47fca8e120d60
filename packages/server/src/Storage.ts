import { SqliteClient, SqliteStorage } from "@frontdesk/storage-sqlite"
import type { DatabaseUrl } from "./settings/DatabaseUrl.ts"

const optionsOf = (database: DatabaseUrl) => ({ filename: database._tag === "Memory" ? ":memory:" : database.path })

/** Every store, on the database of the settings, brought to the present schema. */
export const layer = (database: DatabaseUrl) => SqliteStorage.layer(optionsOf(database))

/** A client that only reads that database, as it is; a file must be there. */
export const layerReader = (database: DatabaseUrl) => SqliteClient.layer({ ...optionsOf(database), readonly: true })

/** The client of that database alone. */
export const layerClient = (database: DatabaseUrl) => SqliteClient.layer(optionsOf(database))
