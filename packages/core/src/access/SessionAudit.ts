import * as Acting from "../audit/Acting.ts"
import type { AuditedKind } from "../audit/AuditTrail.ts"
import { actorOf } from "./Principal.ts"
import { personOf, type Session, type SignInLink } from "./Session.ts"

/** The fields that say who uses a link or a session. The name is personal, and so may be the id that a program gives to its user. */
const who = { memberId: "shown", userId: "named", name: "named", role: "shown", isOperator: "shown" } as const

/** Sessions in the audit log: who is signed in. The log never has a token or its digest. */
export const kind: AuditedKind<Session> = {
  type: "session",
  accountIdOf: ({ accountId }) => accountId,
  idOf: ({ id }) => id,
  rules: {
    id: "ignored",
    accountId: "ignored",
    ...who,
    createdAt: "ignored",
    lastUsedAt: "ignored",
    expiresAt: "ignored",
    endsAt: "shown"
  }
}

/** Sign-in links in the audit log: for whom they are, and until when. The log never has a token or its digest. */
export const linkKind: AuditedKind<SignInLink> = {
  type: "sign_in_link",
  accountIdOf: ({ accountId }) => accountId,
  idOf: ({ id }) => id,
  rules: { id: "ignored", accountId: "ignored", ...who, createdAt: "ignored", expiresAt: "shown" }
}

/** Returns the function that runs an effect whose changes the person of a session makes. */
export const byPersonOf = (session: Session) => {
  const { id, type } = actorOf({ apiKeyId: null, person: personOf(session) })
  return Acting.by(type, id, session.accountId)
}
