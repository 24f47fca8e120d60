import { Mailer, type MailerError, type Message, type SignInMessage } from "@frontdesk/core/mail/Mailer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** A mailer that stores messages in memory. A test reads them and sets the answers. */
export class FakeMailer extends Context.Service<
  FakeMailer,
  {
    /** All messages that were sent successfully, oldest first. */
    readonly sent: Effect.Effect<ReadonlyArray<Message>>
    /** All mails with sign-in links, oldest first. */
    readonly links: Effect.Effect<ReadonlyArray<SignInMessage>>
    /** Makes later calls of `send` run this effect first and fail as it fails. The effect may take time. */
    readonly answerWith: (answer: (message: Message) => Effect.Effect<void, MailerError>) => Effect.Effect<void>
  }
>()("@frontdesk/testing/fake/FakeMailer") {
  /** The fake, and the `Mailer` that it implements. */
  static readonly layer: Layer.Layer<FakeMailer | Mailer> = Layer.effectContext(
    Effect.sync(() => {
      const sent: Array<Message> = []
      const links: Array<SignInMessage> = []
      let answer: (message: Message) => Effect.Effect<void, MailerError> = () => Effect.void
      const fake = FakeMailer.of({
        sent: Effect.sync(() => [...sent]),
        links: Effect.sync(() => [...links]),
        answerWith: (next) =>
          Effect.sync(() => {
            answer = next
          })
      })
      const mailer = Mailer.of({
        enabled: true,
        organizer: "desk@example.com",
        send: (message) =>
          Effect.suspend(() => answer(message)).pipe(
            Effect.andThen(Effect.sync(() => sent.push(message))),
            Effect.asVoid
          ),
        sendSignIn: (message) => Effect.sync(() => void links.push(message)),
        check: Effect.succeed({ isUsable: true, says: "a fake" })
      })
      return Context.make(FakeMailer, fake).pipe(Context.add(Mailer, mailer))
    })
  )
}
