import type { SqlError } from "effect/sql/SqlError"
import { isSqlError } from "effect/sql/SqlError"
import { hasProperty } from "effect/Predicate"

/** The SQLSTATE of a read-only server: a standby, or a server with `default_transaction_read_only`. */
const readOnly = "25006"

/** SQLSTATEs of a server without enough memory or disk space. */
const exhausted = /^53[0124]..$/

/**
 * SQLSTATEs with which a session ends or is rejected. An administrator ended it or the server stops (57P), there are
 * too many sessions (53300), or the login (28) or the database (3D000) is rejected.
 */
const noSession = /^(57P..|53300|28...|3D000)$/

const stateOf = ({ reason }: SqlError): string => (hasProperty(reason.cause, "code") ? String(reason.cause.code) : "")

/** Returns the message of the server or the network: the innermost one. */
export const messageOf = ({ reason }: SqlError): string =>
  reason.cause instanceof Error && reason.cause.message !== "" ? reason.cause.message : (reason.message ?? reason._tag)

/** Error codes of Node for a certificate of an unknown authority. */
const untrusted = /^(UNABLE_TO_(VERIFY|GET_ISSUER)|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED_CERT)/

/** Returns whether a connection failed because no trusted authority has signed the certificate. */
export const isUntrusted = (error: SqlError): boolean => untrusted.test(stateOf(error))

/**
 * Returns whether a session was rejected because of what it asked for: the login, the database, TLS or the certificate,
 * or because the server is a standby.
 */
export const isRefused = (error: SqlError): boolean =>
  error.reason._tag === "AuthenticationError" ||
  error.reason._tag === "AuthorizationError" ||
  isUntrusted(error) ||
  /^(28...|3D000|25006|ERR_TLS_CERT_ALTNAME_INVALID|CERT_HAS_EXPIRED|ERR_SSL_\w+)$/.test(stateOf(error)) ||
  messageOf(error) === "The server does not support TLS"

/** Returns whether a statement took too long, which an outage can cause. */
const isTimeout = ({ reason }: SqlError): boolean => ["LockTimeoutError", "StatementTimeoutError"].includes(reason._tag)

/**
 * Returns whether a session was lost or could not be opened. That may be an outage, or concern this session alone. For
 * example, an administrator may have ended the session, or all connections may be in use.
 */
export const isLost = (error: SqlError): boolean =>
  error.reason._tag === "ConnectionError" || noSession.test(stateOf(error))

/** Returns whether an outage may be the reason of a failure. */
export const isPossible = (error: unknown): error is SqlError =>
  isSqlError(error) && (isTimeout(error) || isLost(error) || reasonOf(error) !== undefined)

/**
 * Returns why all statements fail, if this failure of the server shows it. Returns undefined for a failure that may
 * concern this statement or session alone.
 */
export const reasonOf = (error: SqlError): string | undefined => {
  const state = stateOf(error)
  if (state === readOnly) return `${readOnlyReason} (${messageOf(error)})`
  return exhausted.test(state) ? messageOf(error) : undefined
}

/** The description of a server that accepts no writes. */
export const readOnlyReason = "it is read-only, a standby or with default_transaction_read_only on"
