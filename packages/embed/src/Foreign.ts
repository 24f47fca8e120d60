/** Returns a member of an object or function of another library that its declarations may not mention, or undefined. */
export const member = (value: unknown, name: string): unknown =>
  (typeof value === "object" && value !== null) || typeof value === "function" ? Reflect.get(value, name) : undefined
