import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import * as Seeded from "@frontdesk/testing/Seeded"
import * as Schema from "effect/Schema"
import type { EndpointBehaviour } from "./Script.ts"

/** A request that a receiver has received. */
export interface Arrival {
  /** The time of its arrival, in epoch milliseconds. */
  readonly at: number
  /** The name of the endpoint. */
  readonly endpoint: string
  readonly deliveryId: string
  readonly event: string
  readonly signature: string
  readonly standard: { readonly id: string; readonly timestamp: string; readonly signature: string }
  readonly body: Buffer
  /** The status of the answer; null if there was none. */
  readonly answered: number | null
}

/** The endpoints of a world. */
export interface Receivers {
  readonly arrivals: ReadonlyArray<Arrival>
  /** Returns the URL of an endpoint, and sets its behaviour. */
  readonly url: (endpoint: string, behaviour: EndpointBehaviour) => string
  /** Closes the intermittent endpoints, or opens them again. */
  readonly setIntermittentClosed: (isClosed: boolean) => Promise<void>
  /** Calls a function when the n-th request from now has arrived completely, and does not answer it. Null for never. */
  readonly onWhole: (strike: { readonly pass: number; readonly run: () => void } | null) => void
  readonly close: () => Promise<void>
}

/** The parts of a body that are the same in every run with a seed. The ids are not. */
const Content = Schema.fromJsonString(
  Schema.Struct({
    calendar_event: Schema.optionalKey(Schema.Struct({ title: Schema.String })),
    call: Schema.optionalKey(Schema.Struct({ phone_number: Schema.String }))
  })
)
const decode = Schema.decodeUnknownSync(Content)

/** A behaviour of an endpoint, with the status of its answer, if there is one. */
type Treatment = readonly [behaviour: Behaviour.Behaviour, status: number | null]

const answers = (status: number): Treatment => [Behaviour.answer(status), status]

const failures: ReadonlyArray<Treatment> = [
  answers(500),
  answers(404),
  [Behaviour.redirect(302, "http://127.0.0.1:1/"), 302],
  [Behaviour.reset(), null],
  [Behaviour.hangUp, null],
  [Behaviour.garbage, null],
  [Behaviour.hang, null]
]

/** Opens the endpoints of a world. Their behaviour depends on the seed. */
export const open = async (seed: number): Promise<Receivers> => {
  const arrivals: Array<Arrival> = []
  const behaviours = new Map<string, EndpointBehaviour>()
  const tries = new Map<string, number>()
  let strike: { readonly pass: number; readonly run: () => void } | null = null
  let passed = 0

  const treatment = (endpoint: string, arrival: Omit<Arrival, "answered">): Treatment => {
    const key = `${endpoint} ${arrival.deliveryId}`
    const nth = (tries.get(key) ?? 0) + 1
    tries.set(key, nth)
    const content = decode(arrival.body.toString())
    const subject = content.calendar_event?.title ?? content.call?.phone_number ?? ""
    const draw = Seeded.numbers(Seeded.seedOf(seed, endpoint, arrival.event, subject))
    const [fate, failing, late] = [draw(), Math.floor(draw() * 8), draw()]
    /** Fails a random number of attempts: of eight deliveries, three succeed at once and one never does. */
    const flaky = (): Treatment => {
      if (failing !== 7 && nth > Math.max(0, failing - 2)) return answers(200)
      const which = Seeded.numbers(Seeded.seedOf(seed, endpoint, subject, nth))()
      return failures[Math.floor(which * failures.length)] ?? answers(500)
    }
    switch (behaviours.get(endpoint) ?? "good") {
      case "good":
      case "intermittent":
        return answers(200)
      case "slow":
        return [Behaviour.answer(204, { afterMillis: Math.round(50 + late * 250) }), 204]
      case "silent":
        return [Behaviour.hang, null]
      case "gone":
        return fate < 0.15 ? answers(410) : flaky()
      case "flaky":
        return flaky()
    }
  }

  const plan: Behaviour.Behaviour = {
    name: "behaves as the seed determines",
    act: (socket, request) => {
      const header = (name: string): string => request.headers[name] ?? ""
      const arrival = {
        // The wall clock, which the server uses too.
        at: Date.now(),
        endpoint: request.path.slice(1),
        deliveryId: header("x-service-delivery-id"),
        event: header("x-service-event"),
        signature: header("x-service-signature"),
        standard: {
          id: header("webhook-id"),
          timestamp: header("webhook-timestamp"),
          signature: header("webhook-signature")
        },
        body: request.body
      }
      passed += 1
      if (strike?.pass === passed) {
        arrivals.push({ ...arrival, answered: null })
        return strike.run()
      }
      const [behaviour, answered] = treatment(arrival.endpoint, arrival)
      arrivals.push({ ...arrival, answered })
      behaviour.act(socket, request)
    }
  }

  const steady = await Receiver.open({ plan })
  const intermittent = await Receiver.open({ plan })
  let isUp = true

  /** Listens again. It retries, because another connection may use the port for a moment. */
  const up = async (triesLeft = 50): Promise<void> => {
    try {
      await intermittent.up()
    } catch (error) {
      if (triesLeft === 0) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
      await up(triesLeft - 1)
    }
  }

  return {
    arrivals,
    url: (endpoint, behaviour) => {
      behaviours.set(endpoint, behaviour)
      return `${(behaviour === "intermittent" ? intermittent : steady).url}/${endpoint}`
    },
    setIntermittentClosed: async (isClosed) => {
      if (isClosed === !isUp) return
      isUp = !isClosed
      await (isClosed ? intermittent.down() : up())
    },
    onWhole: (next) => {
      strike = next
      passed = 0
    },
    close: async () => {
      await steady.down()
      if (isUp) await intermittent.down()
    }
  }
}
