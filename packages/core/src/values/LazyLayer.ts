import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * Provides a layer of a module that is loaded when the layer is built. A program that does not use the layer starts faster
 * without the module.
 */
export const make = <M, A, E, R>(
  load: () => Promise<M>,
  layer: (module: M) => Layer.Layer<A, E, R>
): Layer.Layer<A, E, R> => Layer.unwrap(Effect.map(Effect.promise(load), layer))
