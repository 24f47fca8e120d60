import * as JsonSize from "@frontdesk/core/values/JsonSize"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"

/** After how many measured bytes of rows other fibers may run. */
const stepBytes = 131_072

/**
 * Returns the page with at most `Page.maxBytes` bytes (D-PAGE-4, see `Page.bounded`). The sizes of its rows are
 * measured in steps, unless they are certainly small enough.
 */
export const make = Effect.fnUntraced(function* <A extends { readonly id: number }>(
  page: Page.Page<A>,
  shorten: (item: A) => A
) {
  const small = Page.small(page)
  if (small !== undefined) return small
  const measured = new Map<A, number>()
  let inStep = 0
  for (const item of page.items) {
    const bytes = JsonSize.bytesOf(item)
    measured.set(item, bytes)
    inStep += bytes
    if (inStep < stepBytes) continue
    inStep = 0
    yield* Effect.yieldNow
  }
  return Page.bounded(page, shorten, (item) => measured.get(item) ?? JsonSize.bytesOf(item))
})
