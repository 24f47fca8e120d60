import type { AccountId } from "@frontdesk/core/access/Account"
import type { FundMovement, FundsCause } from "@frontdesk/core/access/FundMovement"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type * as Effect from "effect/Effect"
import type { Database } from "../storage/Database.ts"

/** The change of an account's sums, as the account row has it afterwards. */
interface Changed extends FundsCause, Pick<FundMovement, "kind" | "amount" | "balanceAfter"> {
  readonly accountId: AccountId
}

/**
 * Returns a function that records the movement of a change in one statement. The transaction must have locked the account,
 * so that the newest movement is the one before this change.
 *
 * The balance before the change should be that of the newest movement. If it is not, a server of an older version has
 * changed it, and an opening with the difference comes first. The time is at least that of the newest movement, so that
 * times and ids have the same order.
 */
export const make = (
  database: Database["Service"],
  operation: string
): ((changed: Changed) => Effect.Effect<void, StorageError>) => {
  const { dialect } = database
  const sent = database.send(operation)
  const at = dialect.instant("?6")
  const text = `INSERT INTO fund_movement (account_id, kind, amount, balance_after, call_id, at)
    SELECT CAST(?1 AS bigint),
      CASE step.place WHEN 1 THEN 'opening' ELSE ${dialect.storedText("?2")} END,
      CASE step.place WHEN 1 THEN previous.balance - coalesce(newest.balance_after, 0) ELSE CAST(?3 AS bigint) END,
      CASE step.place WHEN 1 THEN previous.balance ELSE previous.balance + CAST(?3 AS bigint) END,
      CASE step.place WHEN 1 THEN NULL ELSE ${dialect.storedText("?5")} END,
      CASE WHEN newest.at > ${at} THEN newest.at ELSE ${at} END
    FROM (SELECT CAST(?4 AS bigint) AS balance) AS previous
      LEFT JOIN (
        SELECT balance_after, at FROM fund_movement WHERE account_id = ?1 ORDER BY at DESC, id DESC LIMIT 1
      ) AS newest ON TRUE
      CROSS JOIN (SELECT 1 AS place UNION ALL SELECT 2) AS step
    WHERE step.place = 2 OR previous.balance <> coalesce(newest.balance_after, 0)
    ORDER BY step.place`
  return ({ accountId, amount, at: instant, balanceAfter, callId, kind }) =>
    sent(text, [accountId, kind, BigInt(amount), BigInt(balanceAfter - amount), callId, dialect.time(instant)])
}
