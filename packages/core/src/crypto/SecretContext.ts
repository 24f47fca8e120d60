/*
 * The contexts of secrets: purpose and owner. A secret opens only with the context with which it was sealed, so a writer of
 * the database cannot move a sealed text to another account or purpose. All purposes are in this file, so that each has a
 * name of its own.
 */

/** Returns the context of an account's webhook secrets, the present ones and those before a rotation. */
export const webhookSecret = (accountId: number): string => `webhook.secret:${accountId}`

/** Returns the context of a secret of the installation. */
export const installationSecret = (name: string): string => `installation.secret:${name}`

/** Returns the context of the stored answer to a request with an idempotency key. Such an answer may have a secret. */
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

/** Returns the context of the credentials of an account's connection to an external calendar. */
export const calendarCredentials = ({
  accountId,
  provider
}: {
  readonly accountId: number
  readonly provider: string
}): string => `calendar.credentials:${accountId}:${provider}`
