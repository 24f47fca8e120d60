/** A JSON object. */
export interface Fields {
  readonly [key: string]: unknown
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The object that a value is; an empty one for any other value. */
export const fieldsIn = (value: unknown): Fields => (isFields(value) ? value : {})

/** The objects in a list. */
export const listIn = (value: unknown): ReadonlyArray<Fields> => (Array.isArray(value) ? value.filter(isFields) : [])

/** The object in a body. */
export const parsed = ({ body }: { readonly body: string }): Fields => fieldsIn(JSON.parse(body))
