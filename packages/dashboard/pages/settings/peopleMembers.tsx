import type { Member, PatchMember } from "@frontdesk/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { Card } from "../ui/Page.tsx"
import { rawTextIn } from "../ui/forms.ts"
import { problemOf } from "../ui/Problem.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, WholeTable } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"
import { Invite } from "./peopleInvite.tsx"
import { CreateLink } from "./peopleLinks.tsx"
import { RoleBadge, RoleField, roleOf } from "./peopleRoles.tsx"

/** Changes the name or the role of a member. The address never changes. */
const Edit = ({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (patch: PatchMember) => api.members.patch(member.id, patch),
    onSuccess: async () => {
      onClose()
      // A new role may end sessions and links, and may be that of this person.
      await client.invalidateQueries()
    }
  })
  const { error } = change
  return (
    <FormDialog
      title="Change the member"
      label="Save"
      doing="Saving…"
      isPending={change.isPending}
      error={error}
      fields={["name", "role"]}
      onClose={onClose}
      onSubmit={(form) => {
        const [name, role] = [rawTextIn(form, "name").trim(), roleOf(form.get("role"))]
        const patch = { ...(name !== member.name && { name }), ...(role !== member.role && { role }) }
        if (Object.keys(patch).length === 0) onClose()
        else change.mutate(patch)
      }}
    >
      <p className="text-muted break-all">{member.email}</p>
      <Field
        label="Name"
        name="name"
        required
        maxLength={200}
        defaultValue={member.name}
        problem={problemOf(error, "name")}
      />
      <RoleField
        defaultValue={member.role}
        hint="A new role acts at once. With a role that may do more, the person is signed out and signs in again."
        problem={problemOf(error, "role")}
      />
    </FormDialog>
  )
}

type Open = { readonly kind: "change" | "link" | "signOut" | "remove"; readonly member: Member }

const RowDialog = ({ onClose, open: { kind, member } }: { readonly open: Open; readonly onClose: () => void }) => {
  const client = useQueryClient()
  if (kind === "change") return <Edit member={member} onClose={onClose} />
  if (kind === "link") return <CreateLink member={member} onClose={onClose} />
  if (kind === "signOut")
    return (
      <ConfirmDialog
        title={`Sign ${member.name} out everywhere?`}
        label="Sign out"
        doing="Signing out…"
        onClose={onClose}
        onConfirm={async () => {
          await api.sessions.deleteAll({ member_id: member.id })
          void client.invalidateQueries()
        }}
      >
        <p>All sessions of the person end at once. The person can sign in again.</p>
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      title={`Remove ${member.name}?`}
      label="Remove"
      doing="Removing…"
      onClose={onClose}
      onConfirm={async () => {
        await api.members.delete(member.id)
        void client.invalidateQueries()
      }}
    >
      <p>The person is signed out everywhere at once, cannot sign in any more, and open sign-in links stop working.</p>
    </ConfirmDialog>
  )
}

/** Above how many members the list can be searched. */
const searchedFrom = 10

/** Returns the members whose name or address has a text. */
const found = (members: ReadonlyArray<Member>, search: string): ReadonlyArray<Member> => {
  const text = search.trim().toLowerCase()
  return members.filter(({ email, name }) => `${name} ${email}`.toLowerCase().includes(text))
}

/** The members of the account. */
export const Members = () => {
  const { caller, can, formats } = useSession()
  const [search, setSearch] = useState("")
  const [isInviting, setInviting] = useState(false)
  const [open, setOpen] = useState<Open | null>(null)
  const mayChange = can("can_manage_people")
  const members = useQuery({ queryKey: ["members"], queryFn: ({ signal }) => api.members.list({ signal }) })
  const columns: ReadonlyArray<Column<Member>> = [
    {
      name: "Name",
      cell: ({ email, id, name }) => (
        <div className="grid max-w-xs min-w-36">
          <span className="font-medium">
            <bdi>{name}</bdi> {id === caller.person?.member_id && <Badge>You</Badge>}
          </span>
          <span className="text-muted text-xs break-all">{email}</span>
        </div>
      )
    },
    { name: "Role", cell: ({ role }) => <RoleBadge role={role} /> },
    {
      name: "Last sign-in",
      cell: ({ last_sign_in_at: at }) => (at === null ? "Never" : <Time at={at} />)
    },
    ...(mayChange
      ? [
          {
            name: "Actions",
            cell: (member: Member) => (
              <div className="flex flex-wrap gap-2">
                <Button aria-label={`Change ${member.name}`} onClick={() => setOpen({ kind: "change", member })}>
                  Change
                </Button>
                <Button
                  aria-label={`Sign-in link for ${member.name}`}
                  onClick={() => setOpen({ kind: "link", member })}
                >
                  Sign-in link
                </Button>
                <Button
                  aria-label={`Sign out ${member.name} everywhere`}
                  onClick={() => setOpen({ kind: "signOut", member })}
                >
                  Sign out
                </Button>
                <Button
                  kind="danger"
                  aria-label={`Remove ${member.name}`}
                  onClick={() => setOpen({ kind: "remove", member })}
                >
                  Remove
                </Button>
              </div>
            )
          }
        ]
      : [])
  ]
  return (
    <Card
      title="Members"
      actions={
        mayChange && (
          <Button kind="primary" onClick={() => setInviting(true)}>
            Invite a person
          </Button>
        )
      }
    >
      <Remote query={members}>
        {({ members: rows }) => (
          <>
            {(rows.length > searchedFrom || search !== "") && (
              <div role="search" className="border-line border-b p-4">
                <div className="max-w-96">
                  <Field
                    type="search"
                    label="Name or e-mail address"
                    value={search}
                    onChange={({ target }) => setSearch(target.value)}
                  />
                </div>
              </div>
            )}
            <WholeTable
              // A new search begins at its first page.
              key={search}
              label="Members"
              pagesLabel="Pages of members"
              columns={columns}
              rows={found(rows, search)}
              keyOf={({ id }) => id}
              counted={(count) => formats.counted(count, "member", "members")}
              empty={
                rows.length > 0 ? (
                  <Empty title="No member has this name or address" />
                ) : (
                  <Empty title="No members yet">
                    {mayChange
                      ? "Invite the people who may use this dashboard."
                      : "An owner of the account can invite people, where this dashboard is not read-only."}
                  </Empty>
                )
              }
            />
          </>
        )}
      </Remote>
      {isInviting && <Invite onClose={() => setInviting(false)} />}
      {open !== null && <RowDialog open={open} onClose={() => setOpen(null)} />}
    </Card>
  )
}
