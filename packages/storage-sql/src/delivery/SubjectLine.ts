/**
 * Two conditions for the deliveries of a webhook that are in one of two indexes by the subject: those without an
 * attempt, whose first attempts keep their order (D-EVT-3), and all others.
 */
export const lines = ["attempts = 0 AND in_line", "(attempts > 0 OR NOT in_line)"] as const

/** The order by the id that no index serves, so that a database looks up the subjects instead of reading in this order. */
export const order = "+id"
