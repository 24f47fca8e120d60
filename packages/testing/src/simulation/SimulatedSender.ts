import type { ClaimedDelivery } from "@frontdesk/core/delivery/Delivery"
import { type NotSent, WebhookSender, type WebhookResponse } from "@frontdesk/core/delivery/WebhookSender"
import * as Effect from "effect/Effect"
import { text } from "./Fact.ts"
import { claimName } from "./model/State.ts"
import type { Caller } from "./SimulatedQueue.ts"
import type { World } from "./World.ts"

/** A URL carries the name of its claim behind this, so that a request is known for the one it is. */
const mark = "#claim="

/** Adds the name of the claim to its URL. */
export const markedUrl = ({ key, leaseId, url }: ClaimedDelivery): string => `${url}${mark}${claimName(leaseId, key)}`

/** The URL without it. */
export const plainUrl = (url: string): string => url.split(mark)[0] ?? url

/** How a process sends: to receivers that answer after their time, unless the process is killed before. */
export const make = ({ receivers, tell }: World, caller: Caller): WebhookSender["Service"] =>
  WebhookSender.of({
    checkUrl: () => Effect.void,
    send: (request) =>
      Effect.suspend((): Effect.Effect<WebhookResponse | NotSent> => {
        if (caller.isDead() || caller.pass("before send")) return Effect.never
        if (!request.mayBegin()) return Effect.succeed({ _tag: "NotSent" })
        const [url = "", claim = ""] = request.url.split(mark)
        tell({ _tag: "Sent", process: caller.name, claim, url, body: text(request.body), headers: request.headers })
        const outcome = receivers.answer({ ...request, url })
        if (caller.pass("after send") || outcome._tag === "Nothing") return Effect.never
        const answered = (status: number | null) => tell({ _tag: "Answered", process: caller.name, claim, status })
        if (outcome._tag === "Defect") {
          answered(null)
          return Effect.die(new Error("simulated"))
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
