import { mutantSuite } from "@frontdesk/testing/mutant/mutantSuite"
import * as WebhookMutants from "@frontdesk/testing/mutant/webhook"
import { webhookSenderSuite } from "@frontdesk/testing/suite/webhookSenderSuite"
import * as UndiciWebhookSender from "../src/UndiciWebhookSender.ts"

mutantSuite("WebhookSender", WebhookMutants.webhookSender, (mutate, runner) =>
  webhookSenderSuite("undici", mutate(UndiciWebhookSender.layer({ allowInsecure: true })), {
    guarded: mutate(UndiciWebhookSender.layer()),
    runner
  })
)

for (const [name, mutate] of Object.entries(WebhookMutants.sendWithoutFault)) {
  mutantSuite(`no fault, with the send "${name}"`, {}, (_, runner) =>
    webhookSenderSuite("undici", mutate(UndiciWebhookSender.layer({ allowInsecure: true })), {
      guarded: mutate(UndiciWebhookSender.layer()),
      runner
    })
  )
}
