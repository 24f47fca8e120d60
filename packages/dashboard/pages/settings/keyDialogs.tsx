import type { ApiKey, ApiKeyRotation, CreateApiKey } from "@frontdesk/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type ComponentProps, useState } from "react"
import { api, hasCode } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Checkbox, Field, Select } from "../ui/Field.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { textIn } from "../ui/forms.ts"
import { problemOf } from "../ui/Problem.tsx"
import { ShownOnce } from "../ui/ShownOnce.tsx"
import { chosenPermissions, PermissionChoice } from "./keyPermissions.tsx"

/** Returns until when the value from before the last rotation of a key works, or null when it does not. */
export const graceOf = ({ previous_expires_at: end, status }: ApiKey): string | null =>
  status === "active" && end !== null && Date.parse(end) > Date.now() ? end : null

const Value = (shown: Omit<ComponentProps<typeof ShownOnce>, "hint" | "label">) => (
  <ShownOnce label="The value of the key" hint="Store it where the program can read it, and nobody else." {...shown} />
)

/** Creates a key, and then shows its value, which no later answer has. */
export const CreateKey = ({ onClose }: { readonly onClose: () => void }) => {
  const { caller, formats } = useSession()
  const client = useQueryClient()
  const [isEmpty, setEmpty] = useState(false)
  const create = useMutation({
    mutationFn: (given: CreateApiKey) => api.apiKeys.create(given),
    onSuccess: () => client.invalidateQueries({ queryKey: ["api-keys"] })
  })
  const { data, error } = create
  if (data !== undefined) return <Value title="API key created" value={data.value ?? ""} onClose={onClose} />
  return (
    <FormDialog
      title="Create an API key"
      label="Create"
      doing="Creating…"
      isPending={create.isPending}
      error={error}
      fields={["name", "expires_at", "mode", "permissions"]}
      onClose={onClose}
      onSubmit={(form) => {
        const permissions = chosenPermissions(form, caller.permissions)
        const expiry = textIn(form, "expires")
        setEmpty(permissions.length === 0)
        if (permissions.length > 0)
          create.mutate({
            name: textIn(form, "name"),
            permissions,
            mode: form.get("mode") === "test" ? "test" : "live",
            ...(expiry !== "" && { expires_at: expiry })
          })
      }}
    >
      <Field
        label="Name"
        name="name"
        required
        maxLength={200}
        autoFocus
        hint="What uses the key, so that you know it later."
        problem={problemOf(error, "name")}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Expires"
          name="expires"
          type="datetime-local"
          hint={`Empty for never. In ${formats.zoneName}.`}
          problem={problemOf(error, "expires_at")}
        />
        <Select
          label="Value begins with"
          name="mode"
          defaultValue="live"
          hint="Only to tell keys apart. Both use the same data."
          problem={problemOf(error, "mode")}
        >
          <option value="live">fd_live_</option>
          <option value="test">fd_test_</option>
        </Select>
      </div>
      <PermissionChoice problem={isEmpty ? "Choose at least one permission." : problemOf(error, "permissions")} />
    </FormDialog>
  )
}

/** Gives a key a new value, which is shown once. The previous one can work for some more time. */
export const RotateKey = ({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) => {
  const { formats } = useSession()
  const client = useQueryClient()
  const rotate = useMutation({
    mutationFn: (given: ApiKeyRotation) => api.apiKeys.rotate(apiKey.id, given),
    onSuccess: () => client.invalidateQueries({ queryKey: ["api-keys"] })
  })
  const { data, error } = rotate
  if (data !== undefined) return <Value title="New value" value={data.value ?? ""} onClose={onClose} />
  const grace = graceOf(apiKey)
  return (
    <FormDialog
      title="Replace the value of the key"
      label="Replace"
      doing="Replacing…"
      isPending={rotate.isPending}
      error={error}
      fields={["grace_hours"]}
      onClose={onClose}
      onSubmit={(form) => {
        rotate.mutate({
          grace_hours: Number(form.get("grace")),
          ...(form.get("force") !== null && { force: true })
        })
      }}
    >
      <p>
        <bdi className="font-medium">{apiKey.name}</bdi> gets a new value with the same permissions.
      </p>
      <Select
        label="The present value of the key"
        name="grace"
        defaultValue="24"
        hint="Until then both values work, so that no program has to stop."
        problem={problemOf(error, "grace_hours")}
      >
        <option value="0">stops at once</option>
        <option value="1">works for another hour</option>
        <option value="24">works for another day</option>
        <option value="168">works for another week</option>
      </Select>
      {(grace !== null || hasCode(error, "api_key_in_grace")) && (
        <Checkbox
          name="force"
          required
          label={`End the older value now${grace === null ? "" : `. It works until ${formats.time(grace)} otherwise`}`}
        />
      )}
    </FormDialog>
  )
}

/** Ends a key for good. */
export const RevokeKey = ({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) => {
  const { formats } = useSession()
  const client = useQueryClient()
  return (
    <ConfirmDialog
      title="Revoke this key?"
      label="Revoke"
      doing="Revoking…"
      onClose={onClose}
      onConfirm={async () => {
        await api.apiKeys.revoke(apiKey.id)
        await client.invalidateQueries({ queryKey: ["api-keys"] })
      }}
    >
      <p>
        <bdi className="font-medium">{apiKey.name}</bdi> stops working at once and for good. What uses it loses its
        access.
      </p>
      <p>
        {apiKey.last_used_at === null
          ? "It has never been used."
          : `It was last used on ${formats.time(apiKey.last_used_at)}.`}
      </p>
    </ConfirmDialog>
  )
}
