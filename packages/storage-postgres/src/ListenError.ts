import * as Schema from "effect/Schema"

/**
 * The `listenUrl` of a configuration cannot be used.
 *
 * - `refused`: the server rejects the login, the database, TLS or the certificate.
 * - `deaf`: notifications of the database do not arrive there. It is another database, or behind a pooler in
 *   transaction mode.
 * - `unreachable`: no connection can be opened at the moment.
 */
export class ListenError extends Schema.TaggedError<ListenError>("@frontdesk/storage-postgres/ListenError")(
  "ListenError",
  { reason: Schema.Literals(["refused", "deaf", "unreachable"]), cause: Schema.Defect() }
) {}
