import { webhookSenderSuite } from "@frontdesk/testing/suite/webhookSenderSuite"
import * as UndiciWebhookSender from "../src/UndiciWebhookSender.ts"

webhookSenderSuite("undici", UndiciWebhookSender.layer({ allowInsecure: true }), {
  guarded: UndiciWebhookSender.layer()
})
