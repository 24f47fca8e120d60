import type { Dialect } from "../dialect/Dialect.ts"

/** Returns the expression for how many bytes the answers have that the attempts of a delivery keep. */
export const attemptBytes = (dialect: Dialect): string =>
  `(SELECT coalesce(sum(${dialect.storedBytes("response_body")}), 0) FROM webhook_attempt
    WHERE webhook_attempt.delivery_id = webhook_delivery.id)`
