import type { Webhook } from "@frontdesk/client"
import { Field } from "../ui/Field.tsx"
import { problemOf } from "../ui/Problem.tsx"
import { EventChoice, eventNames } from "./webhookEvents.tsx"

/** Returns what is wrong with a URL as a sentence. The API says what the URL must be, such as `must begin with https://`. */
const urlProblem = (error: unknown): string | undefined => {
  const problem = problemOf(error, "url")?.replace(/\.$/, "")
  if (problem?.startsWith("must ") !== true) return problemOf(error, "url")
  if (problem === "must be an absolute URL") return "Write the whole URL, such as https://example.com/webhooks."
  return `The URL ${problem.replace("credentials", "a user name or a password").replace("a fragment", "a part after #")}.`
}

/** The fields of the API that {@link WebhookFields} show the problems of. */
export const webhookFields = ["name", "url", "subscribed_events"]

/** The fields of a webhook in a form, empty for a new one. */
export const WebhookFields = ({ error, webhook }: { readonly error: unknown; readonly webhook?: Webhook }) => (
  <>
    <Field
      label="Name"
      name="name"
      required
      maxLength={200}
      autoFocus
      defaultValue={webhook?.name}
      problem={problemOf(error, "name")}
    />
    <Field
      label="URL"
      name="url"
      type="url"
      required
      placeholder="https://example.com/webhooks"
      defaultValue={webhook?.url}
      hint="Where your program receives the requests. It begins with https://."
      problem={urlProblem(error)}
    />
    <EventChoice chosen={webhook?.subscribed_events ?? eventNames} problem={problemOf(error, "subscribed_events")} />
  </>
)
