import type { Invariant } from "../Invariants.ts"

/** With a secret key, the database has no webhook secret in plain text. */
export const sealed: Invariant = ({ isSealed, ledger, records }) => {
  if (!isSealed) return []
  const issued = new Set(ledger.webhooks.flatMap(({ secrets }) => secrets.map(({ secret }) => secret)))
  return records.webhookSecrets.map((secret) =>
    secret.startsWith("whsec_") || issued.has(secret) ? "a webhook's secret is stored in plain text" : null
  )
}
