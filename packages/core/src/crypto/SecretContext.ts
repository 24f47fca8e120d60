/*
 * What secrets are kept for, and whose they are. A secret is sealed for one of these and opens for no other, so that a
 * sealed text cannot be moved to another tenant or purpose. Every purpose is written here, so that no two share a name.
 */

/** A webhook secret of an account, the present one or the one before. */
export const webhookSecret = (accountId: number): string => `webhook.secret:${accountId}`

/** A secret of the installation, by its name. */
export const installationSecret = (name: string): string => `installation.secret:${name}`

/** The answer to a request with an idempotency key; it may show a secret. */
export const idempotentAnswer = ({
  accountId,
  method,
  path,
  key
}: {
  readonly accountId: number
  readonly method: string
  readonly path: string
  readonly key: string
}): string => `idempotency.answer:${JSON.stringify([accountId, method, path, key])}`

/** The credentials of an account's connection with an outside calendar. */
export const calendarCredentials = ({
  accountId,
  provider
}: {
  readonly accountId: number
  readonly provider: string
}): string => `calendar.credentials:${accountId}:${provider}`
