import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Field } from "../ui/Field.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { daysAfter } from "../ui/formats.ts"
import { textIn } from "../ui/forms.ts"

type Answer = Awaited<ReturnType<typeof api.webhooks.redeliverFailed>>

/** Sends all deliveries of a webhook again that failed since a time. The API makes some due in each request. */
export const RedeliverFailed = ({
  onClose,
  onDone,
  webhookId
}: {
  readonly webhookId: string
  readonly onClose: () => void
  readonly onDone: (message: string) => void
}) => {
  const { formats } = useSession()
  const client = useQueryClient()
  const [sum, setSum] = useState(0)
  const redeliver = useMutation({
    mutationFn: async (since: string) => {
      let [count, until, after]: [number, string | null, number | null] = [0, null, null]
      do {
        const answer: Answer = await api.webhooks.redeliverFailed(webhookId, {
          since,
          ...(until !== null && { until }),
          ...(after !== null && { after })
        })
        count += answer.redelivered
        setSum(count)
        ;({ after, until } = answer)
      } while (after !== null)
      return count
    },
    onSuccess: (count) => {
      onDone(
        count === 0
          ? "No delivery has failed since that time."
          : `${formats.counted(count, "delivery is", "deliveries are")} sent again, once each.`
      )
      onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["deliveries", webhookId] })
  })
  return (
    <FormDialog
      title="Send all failed deliveries again"
      label="Send again"
      doing="Sending…"
      isPending={redeliver.isPending}
      error={redeliver.error}
      onClose={onClose}
      onSubmit={(form) => redeliver.mutate(textIn(form, "since"))}
    >
      <p>
        Each delivery that has failed is sent once more, the oldest first. The receiver gets it with the same id and the
        same body.
      </p>
      <Field
        label="Events since"
        name="since"
        type="datetime-local"
        required
        defaultValue={`${daysAfter(formats.today(), -1)}T00:00`}
        hint={`In the time zone ${formats.zoneName}.`}
      />
      <p className="text-muted text-sm" aria-live="polite">
        {redeliver.isPending && `${formats.number(sum)} so far…`}
      </p>
    </FormDialog>
  )
}
