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
import { type Column, Table } from "../ui/Table.tsx"
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

/** The members of the account. */
export const Members = () => {
  const { caller, can, formats } = useSession()
  const [isInviting, setInviting] = useState(false)
  const [open, setOpen] = useState<Open | null>(null)
  const mayChange = can("can_manage_people")
  const members = useQuery({ queryKey: ["members"], queryFn: ({ signal }) => api.members.list({ signal }) })
  const columns: ReadonlyArray<Column<Member>> = [
    {
      name: "Name",
      cell: ({ email, id, name }) => (
        <div className="grid max-w-xs">
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
      cell: ({ last_sign_in_at: at }) => (at === null ? "Never" : formats.time(at)),
      isExtra: true
    },
    ...(mayChange
      ? [
          {
            name: "Actions",
            cell: (member: Member) => (
              <div className="flex gap-2">
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
        {({ members: rows }) =>
          rows.length === 0 ? (
            <Empty title="No members yet">Invite the people who may use this dashboard.</Empty>
          ) : (
            <Table label="Members" columns={columns} rows={rows} keyOf={({ id }) => id} />
          )
        }
      </Remote>
      {isInviting && <Invite onClose={() => setInviting(false)} />}
      {open !== null && <RowDialog open={open} onClose={() => setOpen(null)} />}
    </Card>
  )
}
