import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import * as Signal from "../background/Signal.ts"

/** Poll interval. Code that schedules a reminder sooner must also raise the signal. */
export const poll: Duration.Duration = Duration.seconds(10)

/** Notifies the reminder worker of a reminder that is due soon. */
export class ReminderSignal extends Context.Service<ReminderSignal, Signal.Signal>()(
  "@frontdesk/core/reminder/ReminderSignal"
) {
  /** Signals within the process. One build of layers shares one. */
  static readonly layer: Layer.Layer<ReminderSignal> = Layer.sync(ReminderSignal, Signal.make)
}
