import type { WebhookRequest, WebhookResponse } from "@frontdesk/core/delivery/WebhookSender"
import * as Duration from "effect/Duration"
import type { Behaviour } from "./Plan.ts"
import type { Simulator } from "./Simulator.ts"

/** The outcome of a request: a result after some milliseconds, no result ever, or a defect of the sender. */
export type Outcome =
  | { readonly _tag: "Response"; readonly after: number; readonly response: WebhookResponse }
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Defect" }

/** All receivers, by URL. */
export interface Receivers {
  readonly behave: (url: string, behaviour: Behaviour) => void
  readonly answer: (request: WebhookRequest) => Outcome
}

/** Makes receivers. A receiver is flaky until `behave` sets another behaviour for its URL. */
export const make = (simulator: Simulator): Receivers => {
  const behaviours = new Map<string, Behaviour>()

  const answers = (status: number, after: number): Outcome => ({
    _tag: "Response",
    after,
    response: { _tag: "Answered", status, body: "" }
  })

  const none = (reason: string, after: number): Outcome => ({
    _tag: "Response",
    after,
    response: { _tag: "NoAnswer", reason }
  })

  return {
    behave: (url, behaviour) => {
      behaviours.set(url, behaviour)
    },
    answer: ({ timeout, url }) => {
      const behaviour = behaviours.get(url) ?? { _tag: "Flaky" }
      switch (behaviour._tag) {
        case "Answers":
          return answers(behaviour.status, behaviour.after)
        case "Flaky":
          return simulator.draw() < 0.4
            ? answers(200, simulator.between(0, 3_000))
            : answers(simulator.oneOf([302, 400, 500, 503]), simulator.between(0, 9_999))
        case "Resets":
          return none("the connection was reset", behaviour.after)
        case "Late":
          return none("timed out", Duration.toMillis(timeout))
        case "Hangs":
          return { _tag: "Nothing" }
        case "Defect":
          return { _tag: "Defect" }
      }
    }
  }
}
