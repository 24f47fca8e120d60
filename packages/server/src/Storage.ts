import { SqliteClient, SqliteStorage } from "@frontdesk/storage-sqlite"
import type { DatabaseUrl } from "./settings/DatabaseUrl.ts"

const optionsOf = (database: DatabaseUrl) => ({ filename: database._tag === "Memory" ? ":memory:" : database.path })

/** Every store, on the database of the settings, brought to the present schema. */
export const layer = (database: DatabaseUrl) => SqliteStorage.layer(optionsOf(database))

/** The client of that database alone. */
export const layerClient = (database: DatabaseUrl) => SqliteClient.layer(optionsOf(database))
