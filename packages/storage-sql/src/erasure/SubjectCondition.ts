/** The calls of the account `?1` without a contact and with the number `?2`. */
export const callOfNumber = "account_id = ?1 AND contact_id IS NULL AND phone_number = ?2"

/** The calendar events of the account `?1` without a contact and with the customer's number `?2`. */
export const eventOfNumber = "account_id = ?1 AND contact_id IS NULL AND customer_phone <> '' AND customer_phone = ?2"

/** The calendar events of the account `?1` without a contact and with the customer's e-mail address `?2`, in lower case. */
export const eventOfEmail = "account_id = ?1 AND contact_id IS NULL AND customer_email_key = ?2"

/**
 * Returns two conditions for the deliveries of a webhook that are in one of two indexes by the subject: those without an
 * attempt, whose first attempts keep their order (D-EVT-3), and all others.
 */
export const lines = ["attempts = 0 AND in_line", "(attempts > 0 OR NOT in_line)"] as const

/** The order by the id that no index serves, so that a database looks up the subjects instead of reading in this order. */
export const order = "+id"
