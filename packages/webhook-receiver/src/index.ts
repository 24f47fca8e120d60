export * as ReceivedDeliveries from "./ReceivedDeliveries.ts"
export * as WebhookReceiver from "./WebhookReceiver.ts"
