import { once } from "@frontdesk/core/values/Once"
import { Frontdesk } from "./Frontdesk.ts"
import { failure, type Respond } from "./mount/Incoming.ts"
import { Mounts } from "./mount/Mounts.ts"
import type { MountOptions } from "./types/mount.ts"
import type { FrontdeskOptions } from "./types/options.ts"

/**
 * A Frontdesk that is opened when it is first used. For modules that run nothing when they are loaded: the routes of Next,
 * which a build loads too, and Workers, which allow neither timers nor randomness there.
 *
 * ```ts
 * export const frontdesk = new LazyFrontdesk({ storage: { memory: true } })
 * export const { GET, POST, PUT, PATCH, DELETE } = frontdesk.next({ basePath: "/api/voice" })
 * ```
 */
export class LazyFrontdesk extends Mounts {
  readonly #options: FrontdeskOptions
  /** Returns the open Frontdesk. After a failure the next call opens it again. */
  readonly get: () => Promise<Frontdesk>

  constructor(options: FrontdeskOptions) {
    super()
    this.#options = options
    this.get = once(() => Frontdesk.open(options))
  }

  override mount(options: MountOptions): Respond {
    let respond: Respond | undefined
    return async (incoming) => {
      try {
        respond ??= (await this.get()).mount(options)
      } catch (error) {
        ;(this.#options.logger ?? console).error("Frontdesk cannot be opened", error)
        return failure(503, "service_unavailable", "The service cannot be opened. Try again later")
      }
      return respond(incoming)
    }
  }
}
