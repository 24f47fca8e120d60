import type { SqlError } from "effect/sql/SqlError"
import { isSqlError } from "effect/sql/SqlError"
import { hasProperty } from "effect/Predicate"

/** The server only reads: it is a standby, or `default_transaction_read_only` is on. */
const readOnly = "25006"

/**
 * SQLSTATEs of a server that serves nobody for now: it lacks memory, disk or connections (53), stops or starts (57P), or lets
 * in nobody with this password (28) or to this database (3D000).
 */
const serverwide = /^(53...|57P..|28...|3D000)$/

const stateOf = ({ reason }: SqlError): string => (hasProperty(reason.cause, "code") ? String(reason.cause.code) : "")

/** What the server, or the way to it, has said: the innermost message. */
const said = ({ reason }: SqlError): string =>
  reason.cause instanceof Error && reason.cause.message !== "" ? reason.cause.message : (reason.message ?? reason._tag)

/** What Node says of a certificate that it has no authority for. */
const untrusted = /^(UNABLE_TO_(VERIFY|GET_ISSUER)|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED_CERT)/

/** Whether a connection failed because of a certificate that nobody known has signed. */
export const isUntrusted = (error: SqlError): boolean => untrusted.test(stateOf(error))

/** Whether a session was refused for what was asked: who logs in, the database, the certificate; or a standby. */
export const isRefused = (error: SqlError): boolean =>
  error.reason._tag === "AuthenticationError" ||
  error.reason._tag === "AuthorizationError" ||
  isUntrusted(error) ||
  /^(28...|3D000|25006|ERR_TLS_CERT_ALTNAME_INVALID|CERT_HAS_EXPIRED)$/.test(stateOf(error))

/** Whether a call took too long, which in an outage comes of it. */
export const isLate = (error: unknown): boolean =>
  isSqlError(error) && ["LockTimeoutError", "StatementTimeoutError"].includes(error.reason._tag)

/** Why a call failed when everybody's would: the way to the server, or its state, and not what was asked of it. */
export const reasonOf = (error: unknown): string | undefined => {
  if (!isSqlError(error)) return undefined
  const state = stateOf(error)
  if (state === readOnly) {
    return `it is read-only, a standby or with default_transaction_read_only on (${said(error)})`
  }
  return error.reason._tag === "ConnectionError" || serverwide.test(state) ? said(error) : undefined
}
