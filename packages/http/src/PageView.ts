import * as Page from "@frontdesk/core/values/Page"
import * as Schema from "effect/Schema"

/**
 * The ids of those records of a page that come without their large fields, so that the page stays within its maximum
 * size (D-PAGE-4).
 */
export const Truncated = Schema.Array(Schema.Int)

/**
 * The fields of every page: total number of records, number and size of the page, number of pages (C-4.6-2, C-8-1,
 * D-PAGE-1).
 */
export const pageFields = {
  count: Schema.Int,
  page: Schema.Int,
  limit: Schema.Int,
  pages: Schema.Int
}

/** Returns the values of {@link pageFields} for a page. */
export const pageView = (page: Page.Page<unknown>) => ({
  count: page.count,
  page: page.page,
  limit: page.limit,
  pages: Page.pages(page)
})

/** An answer that has only a message about what was done. */
export const Done = Schema.Struct({ message: Schema.String })
