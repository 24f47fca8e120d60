import { randomBytes, randomUUID, scryptSync, timingSafeEqual } from "node:crypto"

/** A user of the program. */
export interface User {
  readonly id: string
  readonly name: string
  /** The ref of the account in Frontdesk. */
  readonly account: string
  readonly role: "viewer" | "editor" | "owner"
}

const hashed = (password: string) => {
  const salt = randomBytes(16)
  return { salt, hash: scryptSync(password, salt, 32) }
}

// Stands for the program's own table of users.
const users = new Map<string, User & ReturnType<typeof hashed>>([
  ["jo", { id: "1", name: "Jo", account: "acme", role: "owner", ...hashed("correct horse") }],
  ["mo", { id: "2", name: "Mo", account: "globex", role: "viewer", ...hashed("battery staple") }]
])

const sessions = new Map<string, User>()

/** Signs a user in. Returns the value of the cookie `session`, or null for a wrong name or password. */
export const signIn = (name: string, password: string): string | null => {
  const user = users.get(name)
  if (user === undefined || !timingSafeEqual(scryptSync(password, user.salt, 32), user.hash)) return null
  const token = randomUUID()
  sessions.set(token, user)
  return token
}

const tokenOf = (cookies: string | null | undefined): string =>
  /(?:^|; )session=([\w-]+)/.exec(cookies ?? "")?.[1] ?? ""

/** Returns the user of a request by its header `Cookie`. */
export const userOf = (cookies: string | null | undefined): User | undefined => sessions.get(tokenOf(cookies))

/** Ends the session of a request by its header `Cookie`. */
export const signOut = (cookies: string | null | undefined): void => void sessions.delete(tokenOf(cookies))
