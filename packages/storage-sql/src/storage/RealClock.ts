import * as Clock from "effect/Clock"
import * as Context from "effect/Context"

/**
 * The clock of the machine, which a fiber has by default. It serves for what happens in real time even in a test with a
 * test clock, such as the work of a database server.
 */
export const realClock: Clock.Clock = Context.get(Context.empty(), Clock.Clock)
