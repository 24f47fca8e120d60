import type { AccountId } from "@frontdesk/core/access/Account"
import { MemberStore } from "@frontdesk/core/access/MemberStore"
import { MemberId } from "@frontdesk/core/access/Person"
import * as EmailAddress from "@frontdesk/core/values/EmailAddress"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database, duplicate } from "../storage/Database.ts"
import type { MemberRow, State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"
import * as People from "./People.ts"

const get = (state: State, accountId: AccountId, id: MemberId): Option.Option<MemberRow> =>
  Option.filter(Table.get(state.members, id), ({ member }) => member.accountId === accountId)

const update = (state: State, accountId: AccountId, id: MemberId, change: (row: MemberRow) => MemberRow): State =>
  Option.isNone(get(state, accountId, id)) ? state : { ...state, members: Table.update(state.members, id, change) }

/** The `MemberStore` in memory. */
export const layer: Layer.Layer<MemberStore, never, Database> = Layer.effect(
  MemberStore,
  Effect.map(Database, (database) =>
    MemberStore.of({
      insert: (member) =>
        database.modify((state) => {
          const mailbox = EmailAddress.mailboxOf(member.email)
          const isTaken = ({ member: { accountId, email } }: MemberRow) =>
            accountId === member.accountId && EmailAddress.mailboxOf(email) === mailbox
          if (Table.where(state.members, isTaken).length > 0) return duplicate("MemberStore.insert", "mailbox")
          const [row, members] = Table.insert(state.members, (id): MemberRow => ({
            member: { ...member, id: MemberId.make(id), lastSignInAt: null },
            mailedAt: null
          }))
          return changed(row.member, { ...state, members })
        }),
      find: (accountId, id) => database.read((state) => Option.map(get(state, accountId, id), ({ member }) => member)),
      list: (accountId) =>
        database.read((state) =>
          Table.where(state.members, ({ member }) => member.accountId === accountId).map(({ member }) => member)
        ),
      listByEmail: (email, limit) =>
        database.read((state) =>
          Table.where(
            state.members,
            ({ member }) => EmailAddress.mailboxOf(member.email) === EmailAddress.mailboxOf(email)
          )
            .map(({ member }) => member)
            .slice(0, limit)
        ),
      update: ({ accountId, id, name, role }) =>
        database.modify((state) =>
          changed(
            undefined,
            update(state, accountId, id, (row) => ({ ...row, member: { ...row.member, name, role } }))
          )
        ),
      touch: (accountId, id, at) =>
        database.modify((state) =>
          changed(
            undefined,
            update(state, accountId, id, (row) => ({ ...row, member: { ...row.member, lastSignInAt: at } }))
          )
        ),
      beginMail: (accountId, id, now, before) =>
        database.modify((state) => {
          const isDue = Option.exists(
            get(state, accountId, id),
            ({ mailedAt }) => mailedAt === null || DateTime.isLessThanOrEqualTo(mailedAt, before)
          )
          return isDue
            ? changed(
                true,
                update(state, accountId, id, (row) => ({ ...row, mailedAt: now }))
              )
            : changed(false, state)
        }),
      delete: (accountId, id) =>
        database.modify((state) => {
          if (Option.isNone(get(state, accountId, id))) return changed(false, state)
          const isOfMember = People.ofMember(accountId, id)
          return changed(true, {
            ...state,
            members: Table.remove(state.members, id),
            signInLinks: People.without(state.signInLinks, Table.where(state.signInLinks, isOfMember)),
            sessions: People.without(state.sessions, Table.where(state.sessions, isOfMember))
          })
        })
    })
  )
)
