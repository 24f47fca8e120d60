/** Returns a member of an object of another library that its declarations may not mention, or undefined. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
