/** A JSON object. */
export interface Fields {
  readonly [key: string]: unknown
}

/** Returns whether a value is a JSON object. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns a value that is a JSON object, or an empty object for any other value. */
export const fieldsIn = (value: unknown): Fields => (isFields(value) ? value : {})

/** Returns the JSON objects in a list. */
export const listIn = (value: unknown): ReadonlyArray<Fields> => (Array.isArray(value) ? value.filter(isFields) : [])

/** Returns the JSON object in a body. */
export const parsed = ({ body }: { readonly body: string }): Fields => fieldsIn(JSON.parse(body))
