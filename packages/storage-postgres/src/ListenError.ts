import * as Schema from "effect/Schema"

/**
 * The `listenUrl` of a configuration cannot serve.
 *
 * - `refused`: the server refuses who logs in, the database, or to be listened to, or is not the one its certificate names.
 * - `deaf`: what the database notifies is not heard there: it is another one, or behind a pooler in transaction mode.
 * - `unreachable`: there is no connection for now.
 */
export class ListenError extends Schema.TaggedError<ListenError>("@frontdesk/storage-postgres/ListenError")(
  "ListenError",
  { reason: Schema.Literals(["refused", "deaf", "unreachable"]), cause: Schema.Defect() }
) {}
