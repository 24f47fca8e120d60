import type { CallOptions, List, PageQuery } from "./common.ts"

/** What a person may do: an owner everything, an editor reads and changes, a viewer only reads. */
export type MemberRole = "owner" | "editor" | "viewer"

/** A person who may sign in to the dashboard of an account. */
export interface Member {
  readonly id: number
  readonly accountId: number
  readonly email: string
  readonly name: string
  readonly role: MemberRole
  readonly createdAt: string
  readonly lastSignInAt: string | null
}

/** The member to create. */
export interface CreateMember {
  readonly email: string
  readonly name: string
  readonly role: MemberRole
  /** Whether the member is mailed a link with which to sign in. Default: false. */
  readonly sendLink?: boolean | null | undefined
}

/** The changes of a member. An absent field stays as it is. */
export interface PatchMember {
  readonly name?: string | undefined
  readonly role?: MemberRole | undefined
}

/** The members of the account. */
export interface Members {
  /** Lists all members, oldest first. */
  readonly list: (options?: CallOptions) => List<Member>
  readonly get: (id: number, options?: CallOptions) => Promise<Member>
  /** Creates a member. */
  readonly create: (member: CreateMember, options?: CallOptions) => Promise<Member>
  /** Changes a member at once. A role with more permissions ends its sessions. */
  readonly patch: (id: number, changes: PatchMember, options?: CallOptions) => Promise<Member>
  /** Removes a member, whose sessions and links end at once. */
  readonly delete: (id: number, options?: CallOptions) => Promise<void>
}

/** The time for which a person is signed in to the dashboard. */
export interface Session {
  readonly id: number
  readonly accountId: number
  /** Null for a user of the program. */
  readonly memberId: number | null
  readonly userId: string | null
  readonly name: string
  readonly role: MemberRole
  /** Whether the person is the operator of the installation. */
  readonly isOperator: boolean
  readonly createdAt: string
  readonly lastUsedAt: string
  /** When the session ends unless it is used before. */
  readonly expiresAt: string
  /** When the session ends in any case. */
  readonly endsAt: string
}

/** Selects sessions. */
export interface SessionQuery {
  readonly memberId?: number | undefined
}

/** The sessions of the people who are signed in to the dashboard of the account. */
export interface Sessions {
  /** Lists sessions, the newest first. */
  readonly list: (query?: SessionQuery & PageQuery, options?: CallOptions) => List<Session>
  /** Returns the sessions of the person who calls. A program has none. */
  readonly own: (options?: CallOptions) => Promise<ReadonlyArray<Session>>
  /** Ends a session at once. */
  readonly delete: (id: number, options?: CallOptions) => Promise<void>
  /** Ends the sessions of a member, or of everyone. Returns how many. Rejects with `not_found` for an unknown member. */
  readonly deleteAll: (body?: EndSessions, options?: CallOptions) => Promise<number>
}

/** Which sessions to end: those of a member, or without one all of them. */
export interface EndSessions {
  readonly memberId?: number | null | undefined
}

/** A link with which one person signs in once. */
export interface SignInLink {
  readonly id: number
  readonly accountId: number
  readonly memberId: number | null
  readonly userId: string | null
  readonly name: string
  readonly role: MemberRole
  /** Whether the person is the operator of the installation. */
  readonly isOperator: boolean
  readonly createdAt: string
  readonly expiresAt: string
}

/** The link to create: for a member, or with a role for a user of the program. */
export interface CreateSignInLink {
  readonly memberId?: number | null | undefined
  readonly role?: MemberRole | null | undefined
  /** The name and the id of the user, only with `role`. */
  readonly name?: string | null | undefined
  readonly userId?: string | null | undefined
  /** At most 7 days. Default: 15. */
  readonly expiresInMinutes?: number | null | undefined
}

/** A link with its token. The person opens `<dashboard>/sign-in/<token>`. */
export interface IssuedSignInLink {
  readonly link: SignInLink
  readonly token: string
}

/** The sign-in links of the account. */
export interface SignInLinks {
  /** Lists the links that can still be used, oldest first. */
  readonly list: (options?: CallOptions) => List<SignInLink>
  /** Creates a link and returns it with its token, which is not shown again. */
  readonly create: (link: CreateSignInLink, options?: CallOptions) => Promise<IssuedSignInLink>
  /** Deletes a link, which stops working. A session that was started with it continues. */
  readonly delete: (id: number, options?: CallOptions) => Promise<void>
}
