export * as MailServer from "./MailServer.ts"
export * as Sender from "./Sender.ts"
export * as SmtpMailer from "./SmtpMailer.ts"
export * as Template from "./Template.ts"
