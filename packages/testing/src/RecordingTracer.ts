import * as Tracer from "effect/Tracer"

/**
 * Makes a tracer that records spans as the native one does. Code that makes spans only for a tracer that was provided
 * makes them for this one, because it is another object.
 *
 * @returns the tracer, and the spans that it has made so far, in the order of their start
 */
export const make = (): { readonly tracer: Tracer.Tracer; readonly spans: ReadonlyArray<Tracer.NativeSpan> } => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { tracer, spans }
}
