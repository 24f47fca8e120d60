import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import * as Signal from "../background/Signal.ts"

/** The poll interval of the reminder worker (D-REM-4). Code that schedules a reminder sooner must also raise the signal. */
export const poll: Duration.Duration = Duration.seconds(10)

/** The signal that notifies the reminder worker of a reminder that is due soon. */
export class ReminderSignal extends Context.Service<ReminderSignal, Signal.Signal>()(
  "@frontdesk/core/reminder/ReminderSignal"
) {
  /** A signal within the process. All services of one build of layers share it. */
  static readonly layer: Layer.Layer<ReminderSignal> = Layer.sync(ReminderSignal, Signal.make)
}
