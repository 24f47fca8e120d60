/** The code of a required field that is absent. */
export const missing = "missing"

/** The code of a field whose value has the wrong type. */
export const wrongType = "invalid_type"

/** The code of a field whose value has the right type and breaks a rule. */
export const invalid = "invalid_value"

/** The code of an array or object with more items than its maximum. */
export const tooMany = "too_many"

/** The code of a value with more bytes than its maximum. */
export const tooLarge = "too_large"
