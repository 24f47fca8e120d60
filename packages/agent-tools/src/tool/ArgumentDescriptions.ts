/** What a language model reads about each argument. An error about an argument states its rule instead. */
export type Descriptions<Encoded> = { readonly [Name in keyof Encoded]-?: string }

const slot_id = "A slot_id that find_slots returned, copied exactly"

const event_id = "The id of an event that my_appointments or get_context returned"

const reason = "The reason, in the caller's words"

const customer_name = "The customer's name. Only when get_context shows no contact"

const customer_phone = "The customer's phone number, such as +12025550123. Only when get_context shows no contact"

/** The descriptions of a tool that takes no arguments. */
export const none = {}

/** The descriptions of the arguments of `find_slots`. */
export const findSlots = {
  from_date: "The first day to search, as YYYY-MM-DD. Take it from the days of get_context",
  to_date: "The last day to search, as YYYY-MM-DD. The same as from_date for one day",
  duration_minutes: "The length of the appointment in minutes",
  part_of_day: "Only slots in this part of the day"
}

/** The descriptions of the arguments of `hold_slot`. */
export const holdSlot = { slot_id }

/** The descriptions of the arguments of `book`. */
export const book = {
  slot_id,
  title: "What the appointment is about, in a few words",
  notes: "What the business should know before the appointment",
  customer_name,
  customer_email: "The customer's e-mail address. Only when get_context shows no contact",
  customer_phone
}

/** The descriptions of the arguments of `move`. */
export const move = { event_id, slot_id }

/** The descriptions of the arguments of `cancel`. */
export const cancel = { event_id, reason }

/** The descriptions of the arguments of `update_contact`. */
export const updateContact = {
  first_name: "The caller's first name",
  last_name: "The caller's last name",
  email: "The caller's e-mail address",
  company: "The company that the caller works for",
  website: "The address of the caller's web site, with https://",
  address: "Street and house number",
  city: "The city",
  state: "The state or region",
  zip_code: "The postal code",
  country: "The country"
}

/** The descriptions of the arguments of `set_variables`. */
export const setVariables = { variables: "The new values by the name of the variable" }

/** The descriptions of the arguments of `request_callback`. */
export const requestCallback = {
  reason,
  date: "The day on which the caller wants to be called, as YYYY-MM-DD",
  weekday: "The name of the weekday of that date. Required with date",
  part_of_day: "The part of that day",
  customer_name,
  customer_phone
}
