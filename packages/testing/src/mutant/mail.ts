import { Mailer } from "@frontdesk/core/mail/Mailer"
import * as Effect from "effect/Effect"
import { mutantsOf } from "./Mutant.ts"

/** Mutants of `Mailer`. */
export const mailer = mutantsOf(Mailer, {
  "enabled is false for a mailer that sends": () => ({ enabled: false }),
  "send sends nothing": () => ({ send: () => Effect.void }),
  "send sends a message twice": (mailer) => ({
    send: (message) => Effect.andThen(mailer.send(message), mailer.send(message))
  }),
  "each repeat of a message has another identity": (mailer) => {
    let count = 0
    return {
      send: (message) =>
        mailer.send({ ...message, event: { ...message.event, sequence: message.event.sequence + 1_000 * ++count } })
    }
  },
  "the identity leaves out the kind": (mailer) => ({ send: (message) => mailer.send({ ...message, kind: "created" }) }),
  "the identity leaves out the changed values": (mailer) => ({
    send: (message) => mailer.send({ ...message, previous: {} })
  }),
  "the identity leaves out the sequence": (mailer) => ({
    send: (message) => mailer.send({ ...message, event: { ...message.event, sequence: 0 } })
  }),
  "the identity leaves out the time of the change": (mailer) => ({
    send: (message) => mailer.send({ ...message, event: { ...message.event, updatedAt: message.event.createdAt } })
  }),
  "the identity leaves out the recipient": (mailer) => ({
    send: (message) =>
      mailer.send({
        ...message,
        event: { ...message.event, customer: { ...message.event.customer, email: "a@example.com" } }
      })
  }),
  "the identity leaves out the calendar event": (mailer) => {
    let uuid: Parameters<typeof mailer.send>[0]["event"]["uuid"] | undefined
    return {
      send: (message) => {
        uuid ??= message.event.uuid
        return mailer.send({ ...message, event: { ...message.event, uuid } })
      }
    }
  },
  "send fails for some texts": (mailer) => ({
    send: (message) =>
      message.event.title.includes("\n") ? Effect.die("a line break in a header") : mailer.send(message)
  }),
  "sendSignIn sends nothing": () => ({ sendSignIn: () => Effect.void }),
  "sendSignIn sends a mail twice": ({ sendSignIn = () => Effect.void }) => ({
    sendSignIn: (message) => Effect.andThen(sendSignIn(message), sendSignIn(message))
  }),
  "mails with different links have the same id": ({ sendSignIn = () => Effect.void }) => ({
    sendSignIn: (message) => sendSignIn({ ...message, linkId: 1 })
  }),
  "each repeat of a mail with a link has another id": ({ sendSignIn = () => Effect.void }) => {
    let count = 0
    return { sendSignIn: (message) => sendSignIn({ ...message, linkId: message.linkId + 1_000 * ++count }) }
  },
  "sendSignIn fails for some texts": ({ sendSignIn = () => Effect.void }) => ({
    sendSignIn: (message) =>
      message.name.includes("\n") ? Effect.die("a line break in a header") : sendSignIn(message)
  }),
  "check explains nothing": (mailer) => ({ check: Effect.map(mailer.check, (check) => ({ ...check, says: "" })) })
})
