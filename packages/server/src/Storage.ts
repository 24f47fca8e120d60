import { SqliteStorage } from "@frontdesk/storage-sqlite"
import type { DatabaseUrl } from "./settings/DatabaseUrl.ts"

/** Every store, on the database of the settings, brought to the present schema. */
export const layer = (database: DatabaseUrl) =>
  SqliteStorage.layer({ filename: database._tag === "Memory" ? ":memory:" : database.path })
