import type { Invariant } from "../Invariants.ts"

/** With a key, no webhook secret that was issued stands in the database as it was issued. */
export const sealed: Invariant = ({ isSealed, ledger, records }) => {
  if (!isSealed) return []
  const issued = new Set(ledger.webhooks.flatMap(({ secrets }) => secrets.map(({ secret }) => secret)))
  return records.webhookSecrets.map((kept) =>
    kept.startsWith("whsec_") || issued.has(kept) ? "a webhook's secret is kept as it was issued" : null
  )
}
