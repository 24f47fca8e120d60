import type { CreateMember } from "@frontdesk/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api, hasCode } from "../app/api.ts"
import { signInWay } from "../app/base.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog, DialogActions } from "../ui/Dialog.tsx"
import { Checkbox, Field } from "../ui/Field.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { rawTextIn } from "../ui/forms.ts"
import { FormProblem } from "../ui/FormProblem.tsx"
import { problemOf } from "../ui/Problem.tsx"
import { CreateLink } from "./peopleLinks.tsx"
import { RoleField, roleOf } from "./peopleRoles.tsx"

/** Adds a member, who is mailed a sign-in link. A server that sends no mail leads to a link for the person instead. */
export const Invite = ({ onClose }: { readonly onClose: () => void }) => {
  const client = useQueryClient()
  const [isLinking, setLinking] = useState(false)
  const invite = useMutation({
    mutationFn: (member: CreateMember) => api.members.create(member),
    onSuccess: () => client.invalidateQueries({ queryKey: ["members"] })
  })
  const { data, error, variables } = invite
  if (data !== undefined && isLinking) return <CreateLink member={data} onClose={onClose} />
  if (data !== undefined)
    return (
      <Dialog title="Member added" onClose={onClose}>
        {variables?.send_link === true ? (
          <p>
            A sign-in link is on its way to <span className="break-all">{data.email}</span>. It works for 7 days.
          </p>
        ) : (
          <p>
            <bdi>{data.name}</bdi> was added and needs a sign-in link. Create one and send it to the person.
          </p>
        )}
        <DialogActions>
          {variables?.send_link !== true && (
            <Button kind="primary" onClick={() => setLinking(true)}>
              Create a sign-in link
            </Button>
          )}
          <Button onClick={onClose}>Done</Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <FormDialog
      title="Invite a person"
      label="Add"
      doing="Adding…"
      isPending={invite.isPending}
      onClose={onClose}
      onSubmit={(form) => {
        invite.mutate({
          name: rawTextIn(form, "name").trim(),
          email: rawTextIn(form, "email").trim(),
          role: roleOf(form.get("role")),
          ...(form.get("send") !== null && { send_link: true })
        })
      }}
    >
      <Field label="Name" name="name" required maxLength={200} autoFocus problem={problemOf(error, "name")} />
      <Field
        label="E-mail address"
        name="email"
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        hint="It cannot be changed later."
        problem={problemOf(error, "email")}
      />
      <RoleField defaultValue="editor" problem={problemOf(error, "role")} />
      {signInWay === "mail" ? (
        <Checkbox name="send" defaultChecked label="Mail the person a sign-in link" />
      ) : (
        <p className="text-muted">
          This server sends no mail. After this step you can create a sign-in link and send it yourself.
        </p>
      )}
      {hasCode(error, "mail_not_offered") ? (
        <p role="alert" className="bg-bad-ground text-bad rounded-md px-3 py-2 text-sm">
          This server sends no mail. Add the person without it, and create a sign-in link afterwards.
        </p>
      ) : (
        <FormProblem error={error} fields={["name", "email", "role"]} />
      )}
    </FormDialog>
  )
}
