import type { SqlError } from "effect/sql/SqlError"
import { isSqlError } from "effect/sql/SqlError"
import { hasProperty } from "effect/Predicate"

/** The server only reads: it is a standby, or `default_transaction_read_only` is on. */
const readOnly = "25006"

/** SQLSTATEs of a server that lacks memory or disk. */
const exhausted = /^53[0124]..$/

/**
 * SQLSTATEs with which a session ends or is refused: an administrator has ended it or the server stops (57P), there are
 * too many (53300), or nobody is let in with this password (28) or to this database (3D000).
 */
const noSession = /^(57P..|53300|28...|3D000)$/

const stateOf = ({ reason }: SqlError): string => (hasProperty(reason.cause, "code") ? String(reason.cause.code) : "")

/** What the server, or the way to it, has said: the innermost message. */
export const said = ({ reason }: SqlError): string =>
  reason.cause instanceof Error && reason.cause.message !== "" ? reason.cause.message : (reason.message ?? reason._tag)

/** What Node says of a certificate that it has no authority for. */
const untrusted = /^(UNABLE_TO_(VERIFY|GET_ISSUER)|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED_CERT)/

/** Whether a connection failed because of a certificate that nobody known has signed. */
export const isUntrusted = (error: SqlError): boolean => untrusted.test(stateOf(error))

/** Whether a session was refused for what was asked: who logs in, the database, TLS, the certificate; or a standby. */
export const isRefused = (error: SqlError): boolean =>
  error.reason._tag === "AuthenticationError" ||
  error.reason._tag === "AuthorizationError" ||
  isUntrusted(error) ||
  /^(28...|3D000|25006|ERR_TLS_CERT_ALTNAME_INVALID|CERT_HAS_EXPIRED|ERR_SSL_\w+)$/.test(stateOf(error)) ||
  said(error) === "The server does not support TLS"

/** Whether a call took too long, which in an outage comes of it. */
const isLate = ({ reason }: SqlError): boolean => ["LockTimeoutError", "StatementTimeoutError"].includes(reason._tag)

/**
 * Whether a session was lost, or none could be had. That may be an outage, or happen to this session alone: an
 * administrator has ended it, it is used after its transaction, all of them are in use, or it is one that only listens.
 */
export const isLost = (error: SqlError): boolean =>
  error.reason._tag === "ConnectionError" || noSession.test(stateOf(error))

/** Whether an outage may be why a call failed. */
export const isPossible = (error: unknown): error is SqlError =>
  isSqlError(error) && (isLate(error) || isLost(error) || reasonOf(error) !== undefined)

/** Why a call failed when the server has said that everybody's would, and not because of what was asked of it. */
export const reasonOf = (error: SqlError): string | undefined => {
  const state = stateOf(error)
  if (state === readOnly) return `${onlyReads} (${said(error)})`
  return exhausted.test(state) ? said(error) : undefined
}

/** What a server is that takes no writes. */
export const onlyReads = "it is read-only, a standby or with default_transaction_read_only on"
