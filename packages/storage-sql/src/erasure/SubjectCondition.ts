/** The calls of the account `?1` without a contact and with the number `?2`. */
export const callOfNumber = "account_id = ?1 AND contact_id IS NULL AND phone_number = ?2"

/** The calendar events of the account `?1` without a contact and with the customer's number `?2`. */
export const eventOfNumber = "account_id = ?1 AND contact_id IS NULL AND customer_phone <> '' AND customer_phone = ?2"

/** The calendar events of the account `?1` without a contact and with the customer's e-mail address `?2`, in lower case. */
export const eventOfEmail = "account_id = ?1 AND contact_id IS NULL AND customer_email_key = ?2"
