import type { HangUpAnswer } from "@frontdesk/core/call/CallProvider"
import { type Exchange, isPage } from "./Exchange.ts"

/**
 * Returns the result of a hang-up from the answer of a provider that does not document a body for it. The page of a proxy is
 * not from the provider, even with a status of 2xx, and the call may go on.
 */
export const hangUpAnswer = (provider: string, exchange: Exchange): HangUpAnswer => {
  if (exchange._tag !== "Answered") return { _tag: "Unknown", cause: exchange.cause }
  const isAnswer = exchange.status >= 200 && exchange.status < 300 && !isPage(exchange.body)
  return isAnswer ? { _tag: "Ended" } : { _tag: "Unknown", cause: `${provider} answered ${exchange.status}` }
}
