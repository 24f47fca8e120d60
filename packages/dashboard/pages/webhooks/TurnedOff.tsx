import type { Webhook } from "@frontdesk/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { api, isMissing } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Problem } from "../ui/Problem.tsx"

/** Reads a webhook, and reads it again and again, because its deliveries change it. */
export const useWebhook = (id: string) =>
  useQuery({
    queryKey: ["webhooks", id],
    queryFn: ({ signal }) => api.webhooks.get(id, { signal }),
    refetchInterval: ({ state }) => (isMissing(state.error) ? false : 15_000)
  })

/** Says of a webhook that is turned off why nothing can be sent to it, and turns it on. */
export const TurnedOff = ({ webhook }: { readonly webhook: Webhook }) => {
  const { can } = useSession()
  const client = useQueryClient()
  const turnOn = useMutation({
    mutationFn: () => api.webhooks.patch(webhook.id, { is_active: true }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["webhooks"] })
  })
  if (webhook.is_active) return null
  return (
    <div className="bg-warn-ground text-warn flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl px-4 py-3 text-sm">
      <p>This webhook is turned off. It receives nothing, and nothing can be sent to it again.</p>
      {can("can_write_webhooks") && (
        <Button disabled={turnOn.isPending} onClick={() => turnOn.mutate()}>
          {turnOn.isPending ? "Turning on…" : "Turn on"}
        </Button>
      )}
      <Problem error={turnOn.error} />
    </div>
  )
}
