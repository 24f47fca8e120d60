import type { AccountId } from "@frontdesk/core/access/Account"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Database } from "../storage/Database.ts"

/** A row of `do_not_call_number`. */
export const NumberRow = Schema.Struct({ phoneNumber: PhoneNumber })

/** The condition that the number of a `contact_number` row is on the do-not-call list of its account. */
export const isListed = `EXISTS (SELECT 1 FROM do_not_call_number WHERE
  do_not_call_number.account_id = contact_number.account_id
    AND do_not_call_number.phone_number = contact_number.phone_number)`

/**
 * The number of lock rows that all phone numbers share. Otherwise each number that was ever called would have a row. They are
 * many, so that an account that adds 1,000 numbers hardly delays calls of other accounts to other numbers.
 */
const lockRows = 65_536

const digits = (number: PhoneNumber): number => Number(number.slice(1))

const lockRow = (number: PhoneNumber): number => digits(number) % lockRows

/**
 * Makes other transactions that lock the same phone number wait until this one ends. Some other numbers share its row,
 * and wait too.
 */
export const lock = (database: Database["Service"], number: PhoneNumber): Effect.Effect<void, StorageError> =>
  database.lock("DoNotCallStore", digits(number), lockRow(number))

/** Returns the statements on the do-not-call lists for one method of a store. */
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
    /** Returns those of the numbers that are on the list. */
    listed: run(listedText),
    /** Removes numbers from the list. Returns those that were on it. */
    remove: run(removeText),
    /**
     * Adds numbers to the list. Returns those that were not on it. Waits for calls to these numbers that are being
     * started.
     */
    add: Effect.fnUntraced(function* (accountId: AccountId, numbers: ReadonlyArray<PhoneNumber>) {
      const unique = [...new Set(numbers)]
      yield* database.lockAll(
        "DoNotCallStore",
        unique.map((number) => ({ number: digits(number), row: lockRow(number) }))
      )
      return yield* insert(accountId, unique.toSorted())
    })
  }
}
