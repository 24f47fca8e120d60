import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import * as Signal from "../background/Signal.ts"

/** How often is looked for reminders without a signal: who makes one due sooner than that tells. */
export const poll: Duration.Duration = Duration.seconds(10)

/** Tells who sends reminders that one is due soon. */
export class ReminderSignal extends Context.Service<ReminderSignal, Signal.Signal>()(
  "@frontdesk/core/reminder/ReminderSignal"
) {
  /** Signals within the process. One build of layers shares one. */
  static readonly layer: Layer.Layer<ReminderSignal> = Layer.sync(ReminderSignal, Signal.make)
}
