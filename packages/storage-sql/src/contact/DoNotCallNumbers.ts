import type { AccountId } from "@frontdesk/core/access/Account"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Database } from "../storage/Database.ts"

/** A number of `do_not_call_number`. */
export const NumberRow = Schema.Struct({ phoneNumber: PhoneNumber })

/** Whether a row of `contact_number` has a number on the list of its account. */
export const isListed = `EXISTS (SELECT 1 FROM do_not_call_number WHERE
  do_not_call_number.account_id = contact_number.account_id
    AND do_not_call_number.phone_number = contact_number.phone_number)`

/** Every transaction that locks a number waits for the others that do. */
export const lock = (database: Database["Service"], number: PhoneNumber): Effect.Effect<void, StorageError> =>
  database.lock("DoNotCallStore", Number(number.slice(1)))

/** Reads and writes of the list, as one method of a store makes them. */
export const make = (database: Database["Service"], operation: string) => {
  const { dialect } = database
  const rows = database.all(operation, NumberRow)
  const given = dialect.records("given", "?2", { phone_number: "text" })
  const addText = `INSERT INTO do_not_call_number (account_id, phone_number)
    SELECT CAST(?1 AS bigint), given.phone_number FROM ${given} WHERE true ORDER BY given.phone_number
    ON CONFLICT DO NOTHING RETURNING phone_number`
  const isGiven = `account_id = ?1 AND ${dialect.isOneOfTexts("phone_number", "?2")}`
  const listedText = `SELECT phone_number FROM do_not_call_number WHERE ${isGiven}`
  const removeText = `DELETE FROM do_not_call_number WHERE ${isGiven} RETURNING phone_number`

  const run =
    (text: string, each: (number: PhoneNumber) => unknown = (number) => number) =>
    (accountId: AccountId, numbers: ReadonlyArray<PhoneNumber>) =>
      numbers.length === 0
        ? Effect.succeed([])
        : Effect.map(rows(text, [accountId, JSON.stringify(numbers.map(each))]), (found) =>
            found.map(({ phoneNumber }) => phoneNumber).toSorted()
          )
  const insert = run(addText, (phone_number) => ({ phone_number }))

  return {
    /** Returns the numbers that are on the list. */
    listed: run(listedText),
    /** Takes numbers off the list; returns those that were on it. */
    remove: run(removeText),
    /** Adds numbers to the list; returns those that were not on it. Calls to them that start at the moment go first. */
    add: Effect.fnUntraced(function* (accountId: AccountId, numbers: ReadonlyArray<PhoneNumber>) {
      const sorted = [...new Set(numbers)].toSorted()
      // In one order, so that two that add the same numbers do not deadlock.
      for (const number of sorted) yield* lock(database, number)
      return yield* insert(accountId, sorted)
    })
  }
}
