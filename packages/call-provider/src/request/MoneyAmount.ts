import * as Money from "@frontdesk/core/values/Money"

/**
 * What a provider says a call costs it, in millionths; null when that is no amount. Providers write it with either
 * sign.
 */
export const amount = (units: number): Money.Money | null => {
  const millionths = Math.abs(Math.round(units * Money.scale))
  return Number.isSafeInteger(millionths) ? Money.Money.make(millionths) : null
}
