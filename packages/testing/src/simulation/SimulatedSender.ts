import { type NotSent, WebhookSender, type WebhookResponse } from "@frontdesk/core/delivery/WebhookSender"
import * as Effect from "effect/Effect"
import { text } from "./Fact.ts"
import * as ClaimUrl from "./ClaimUrl.ts"
import type { CallingProcess } from "./CallingProcess.ts"
import type { Simulation } from "./Simulation.ts"

/** The sender of a process. Its receivers answer after a simulated time, unless the process is killed before. */
export const make = ({ receivers, observe }: Simulation, caller: CallingProcess): WebhookSender["Service"] =>
  WebhookSender.of({
    checkUrl: () => Effect.void,
    send: (request) =>
      Effect.suspend((): Effect.Effect<WebhookResponse | NotSent> => {
        if (caller.isDead() || caller.pass("before send")) return Effect.never
        if (!request.mayBegin()) return Effect.succeed({ _tag: "NotSent" })
        const { claim, url } = ClaimUrl.split(request.url)
        observe({ _tag: "Sent", process: caller.name, claim, url, body: text(request.body), headers: request.headers })
        const outcome = receivers.answer({ ...request, url })
        if (caller.pass("after send") || outcome._tag === "Nothing") return Effect.never
        const answered = (status: number | null) => observe({ _tag: "Answered", process: caller.name, claim, status })
        if (outcome._tag === "Defect") {
          answered(null)
          return Effect.die(new Error("simulated defect of the sender"))
        }
        const { after, response } = outcome
        return Effect.andThen(
          Effect.sleep(after),
          Effect.suspend(() => {
            answered(response._tag === "Answered" ? response.status : null)
            return caller.pass("after answer") ? Effect.never : Effect.succeed(response)
          })
        )
      })
  })
