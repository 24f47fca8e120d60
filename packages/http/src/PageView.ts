import * as Page from "@frontdesk/core/values/Page"
import * as Schema from "effect/Schema"

/** The ids of the rows of a page that come without their large fields (limits.md). */
export const Truncated = Schema.Array(Schema.Int)

/** What every page says of itself (C-8-1, D-PAGE-1). */
export const pageFields = {
  count: Schema.Int,
  page: Schema.Int,
  limit: Schema.Int,
  pages: Schema.Int
}

/** A page's own numbers. */
export const pageView = (page: Page.Page<unknown>) => ({
  count: page.count,
  page: page.page,
  limit: page.limit,
  pages: Page.pages(page)
})

/** An answer that only says what was done. */
export const Done = Schema.Struct({ message: Schema.String })
