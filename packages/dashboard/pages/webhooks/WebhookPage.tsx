import type { PatchWebhook, Webhook } from "@frontdesk/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api, isMissing } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Checkbox, Select } from "../ui/Field.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { Card, Facts, Page } from "../ui/Page.tsx"
import { textIn } from "../ui/forms.ts"
import { Problem } from "../ui/Problem.tsx"
import { Remote } from "../ui/Remote.tsx"
import { ShownOnce } from "../ui/ShownOnce.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { TurnedOff, useWebhook } from "./TurnedOff.tsx"
import { chosenEvents, WebhookStatus } from "./webhookEvents.tsx"
import { WebhookFields, webhookFields } from "./WebhookFields.tsx"

const route = getRouteApi("/webhooks/$id")

const Edit = ({ onClose, webhook }: { readonly webhook: Webhook; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (patch: PatchWebhook) => api.webhooks.patch(webhook.id, patch),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["webhooks"] })
      onClose()
    }
  })
  const { error } = change
  return (
    <FormDialog
      title="Change the webhook"
      label="Save"
      doing="Saving…"
      isPending={change.isPending}
      error={error}
      fields={webhookFields}
      onClose={onClose}
      onSubmit={(form) => {
        change.mutate({
          name: textIn(form, "name"),
          url: textIn(form, "url"),
          subscribed_events: chosenEvents(form),
          is_active: form.get("active") !== null
        })
      }}
    >
      <WebhookFields webhook={webhook} error={error} />
      <div className="grid gap-1">
        <Checkbox name="active" label="Deliver events to it" defaultChecked={webhook.is_active} />
        <p className="text-muted pl-6 text-xs">Without it, nothing is sent, and deliveries that wait are cancelled.</p>
      </div>
    </FormDialog>
  )
}

/** Replaces the secret. The new one is shown once. */
const Rotate = ({ onClose, webhookId }: { readonly webhookId: number; readonly onClose: () => void }) => {
  const rotate = useMutation({
    mutationFn: (hours: number) => api.webhooks.rotateSecret(webhookId, { grace_hours: hours })
  })
  if (rotate.data !== undefined)
    return (
      <ShownOnce
        title="New secret"
        label="The new secret"
        value={rotate.data.secret ?? ""}
        hint="Store it where the receiver can read it."
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title="Replace the secret"
      label="Replace"
      doing="Replacing…"
      isPending={rotate.isPending}
      error={rotate.error}
      onClose={onClose}
      onSubmit={(form) => {
        rotate.mutate(Number(form.get("grace")))
      }}
    >
      <Select
        label="The previous secret"
        name="grace"
        defaultValue="24"
        hint="Until then each request is signed with both secrets."
      >
        <option value="0">stops at once</option>
        <option value="1">works for another hour</option>
        <option value="24">works for another day</option>
      </Select>
    </FormDialog>
  )
}

const Actions = ({ webhook }: { readonly webhook: Webhook }) => {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [open, setOpen] = useState<"edit" | "rotate" | null>(null)
  const close = () => setOpen(null)
  const test = useMutation({
    mutationFn: () => api.webhooks.test(webhook.id),
    onSettled: () => client.invalidateQueries({ queryKey: ["deliveries", String(webhook.id)] })
  })
  return (
    <>
      <Button disabled={test.isPending || !webhook.is_active} onClick={() => test.mutate()}>
        {test.isPending ? "Sending…" : "Send a test"}
      </Button>
      <Button onClick={() => setOpen("edit")}>Change</Button>
      <Button onClick={() => setOpen("rotate")}>Replace the secret</Button>
      <Confirm
        label="Delete"
        doing="Deleting…"
        title="Delete this webhook?"
        onConfirm={async () => {
          await api.webhooks.delete(webhook.id)
          await navigate({ to: "/webhooks" })
          client.removeQueries({ queryKey: ["webhooks", String(webhook.id)] })
          await client.invalidateQueries({ queryKey: ["webhooks"] })
        }}
      >
        <p>It receives no further events, and its deliveries are deleted.</p>
      </Confirm>
      {open === "edit" && <Edit webhook={webhook} onClose={close} />}
      {open === "rotate" && <Rotate webhookId={webhook.id} onClose={close} />}
      <Problem error={test.error} />
    </>
  )
}

/** One webhook with its deliveries. */
export const WebhookPage = () => {
  const { id } = route.useParams()
  const { can, formats } = useSession()
  const webhook = useWebhook(id)
  const at = (time: string | null) => (time === null ? "Never" : formats.time(time))
  return (
    <Page
      title={webhook.data?.name ?? "Webhook"}
      hint={
        <Link to="/webhooks" className="underline">
          All webhooks
        </Link>
      }
      actions={webhook.data !== undefined && can("can_write_webhooks") && <Actions webhook={webhook.data} />}
    >
      {webhook.data !== undefined && <TurnedOff webhook={webhook.data} />}
      <Remote query={webhook}>
        {(found) => (
          <Card>
            <Facts
              facts={[
                ["Status", <WebhookStatus key="status" status={found.status} />],
                [
                  "URL",
                  <span key="url" className="break-all">
                    {found.url}
                  </span>
                ],
                [
                  "Events",
                  <span key="events" className="font-mono text-xs">
                    {found.subscribed_events.join(", ")}
                  </span>
                ],
                ["Last success", at(found.last_success_at)],
                [
                  "Last failure",
                  `${at(found.last_failure_at)}${found.last_failure_status === null ? "" : `, with status ${found.last_failure_status}`}`
                ],
                ["Failures in a row", formats.number(found.consecutive_failures)]
              ]}
            />
          </Card>
        )}
      </Remote>
      {!isMissing(webhook.error) && <Deliveries webhookId={id} isOff={webhook.data?.is_active === false} />}
    </Page>
  )
}
