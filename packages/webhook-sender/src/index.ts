export * as AddressGuard from "./AddressGuard.ts"
export * as Connector from "./Connector.ts"
export * as Resolver from "./Resolver.ts"
export * as UndiciWebhookSender from "./UndiciWebhookSender.ts"
