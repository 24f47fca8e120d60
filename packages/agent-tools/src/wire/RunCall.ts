import * as Effect from "effect/Effect"
import { english } from "../speech/English.ts"
import * as Answer from "../tool/Answer.ts"
import { defaultLimit, within } from "../tool/TimeLimit.ts"
import { timedOut, type Toolbox } from "../tool/Toolbox.ts"

/**
 * Makes a toolbox, calls a tool of it, and returns the answer. Both together have the time of one tool, so that a slow
 * look-up of the caller does not add to it. A defect of the look-up is answered like a defect of a tool.
 */
export const runCall = <R = never, R1 = never, R2 = never>(
  toolbox: Effect.Effect<Toolbox<R>, never, R1>,
  call: (toolbox: Toolbox<R>) => Effect.Effect<Answer.Answer, never, R2>
): Effect.Effect<Answer.Answer, never, R1 | R2> =>
  Effect.suspend(() => {
    // The language of the account is known as soon as the toolbox is made.
    let texts = english
    const calling = Effect.flatMap(toolbox, (made) => {
      texts = made.texts
      return call(made)
    })
    return within(
      Effect.catchDefect(calling, (defect) =>
        Effect.as(Effect.logError("The tools of a caller could not be made", defect), {
          say: english.serverError,
          error: Answer.codes.serverError
        })
      ),
      defaultLimit,
      () => Effect.sync(() => timedOut(texts))
    )
  })
