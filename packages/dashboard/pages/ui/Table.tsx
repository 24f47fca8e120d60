import { type ComponentProps, type ReactNode, useState } from "react"
import { Button } from "./Button.tsx"

/** A column of a table. */
export interface Column<Row> {
  readonly name: string
  readonly cell: (row: Row) => ReactNode
  /** Whether the column has numbers, which are aligned at their end. */
  readonly isNumber?: boolean
  /** Whether the column is left out on narrow screens, because the page of the row shows it too. */
  readonly isExtra?: boolean
}

/** Returns whether a column has the buttons of its record. Its name says so. */
const hasButtons = ({ name }: { readonly name: string }): boolean => name === "Action" || name === "Actions"

/** The space around a cell, which is less where many columns have little room. */
const spaceLook =
  "px-2 py-2.5 first:pl-4 last:pr-4 sm:px-4 in-[.many-columns]:@max-4xl:not-first:pl-2 in-[.many-columns]:@max-4xl:not-last:pr-2"

/** Above how many columns a table needs more room, so that its rows are cards on a tablet too. */
const manyColumns = 5

/** The classes of a row, which is a card where the table is narrow. */
const rowLook =
  "border-line hover:bg-raised border-b last:border-b-0 card:grid card:grid-cols-[minmax(0,1fr)] card:gap-1.5 card:px-4 card:py-3"

/** The classes of a cell. In a card it stands below the others, and its column's name before it. */
const cellLook = <Row,>(column: Column<Row>): string => {
  const { isExtra = false, isNumber = false } = column
  return [
    spaceLook,
    "card:p-0! card:text-left",
    isNumber ? "text-right tabular-nums" : "text-left",
    isExtra
      ? "hidden md:table-cell card:hidden!"
      : "card:grid card:grid-cols-[6.5rem_minmax(0,1fr)] card:items-baseline card:gap-x-3 card:has-[>:empty]:hidden",
    hasButtons(column) ? "card:grid-cols-1! card:pt-1.5!" : "card:column-name"
  ].join(" ")
}

/**
 * A list of records as a table. The first column names the record. Where the table is narrow, each record is a card with the names of
 * the columns before the values, so that a phone shows all of it without scrolling sideways. The roles are written out, because some
 * browsers take a table whose parts have another `display` for no table.
 */
export function Table<Row>({
  columns,
  keyOf,
  label,
  rows
}: {
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string | number
}) {
  const isWide = columns.filter(({ isExtra = false }) => !isExtra).length > manyColumns
  return (
    // A table that is wider than its place scrolls by itself, also with the keyboard.
    <div
      className={`scroll-shadows @container overflow-x-auto rounded-[inherit] ${isWide ? "many-columns" : ""}`}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <table role="table" className="w-full border-collapse card:block">
        <thead role="rowgroup" className="card:sr-only">
          <tr role="row" className="border-line border-b">
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                role="columnheader"
                className={`text-muted text-xs font-medium ${spaceLook} ${column.isNumber === true ? "text-right" : "text-left"} ${column.isExtra === true ? "hidden md:table-cell card:hidden!" : ""}`}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="card:block">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row" className={rowLook}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th
                    key={column.name}
                    scope="row"
                    role="rowheader"
                    className={`text-left font-normal ${spaceLook} card:p-0! card:pb-0.5!`}
                  >
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.name} role="cell" data-column={column.name} className={cellLook(column)}>
                    <div>{column.cell(row)}</div>
                  </td>
                )
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The number of records of a list, and the way to its other pages. */
export const Pages = ({
  count,
  label = "Pages",
  onPage,
  page,
  pages
}: {
  readonly count: string
  /** The name of the navigation, where a page has several of them. */
  readonly label?: string
  readonly page: number
  readonly pages: number
  readonly onPage: (page: number) => void
}) => (
  <nav
    aria-label={label}
    className="border-line flex flex-wrap items-center justify-between gap-2 border-t px-4 py-2.5"
  >
    <p className="text-muted text-sm" aria-live="polite">
      {count}
      {pages > 1 && ` · page ${page} of ${pages}`}
    </p>
    {(pages > 1 || page > 1) && (
      <div className="flex gap-2">
        <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </div>
    )}
  </nav>
)

/** A page of a list as a table, with the way to its other pages. Shows `empty` when the list has no rows. */
export function PagedTable<Row>({
  count,
  empty,
  onPage,
  page,
  pages,
  pagesLabel,
  ...table
}: ComponentProps<typeof Table<Row>> & {
  /** How many records the list has, in words. */
  readonly count: string
  readonly page: number
  readonly pages: number
  readonly onPage: (page: number) => void
  /** The name of the navigation, where a page has several of them. */
  readonly pagesLabel?: string
  readonly empty: ReactNode
}) {
  // A later page can lose its last row, and then leads back.
  if (table.rows.length === 0 && page === 1) return empty
  return (
    <>
      <Table {...table} />
      <Pages
        count={count}
        page={page}
        pages={pages}
        onPage={onPage}
        {...(pagesLabel !== undefined && { label: pagesLabel })}
      />
    </>
  )
}

/** How many rows of a list that the API answers as a whole are shown at once. */
const rowsOfPage = 25

/** A list that the API answers as a whole, as a table in pages. */
export function WholeTable<Row>({
  counted,
  pagesLabel,
  rows,
  ...table
}: Omit<ComponentProps<typeof PagedTable<Row>>, "count" | "onPage" | "page" | "pages"> & {
  /** Returns how many records the list has, in words. */
  readonly counted: (count: number) => string
}) {
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(rows.length / rowsOfPage))
  // The last page can lose its last row.
  const shown = Math.min(page, pages)
  return (
    <PagedTable
      {...table}
      {...(pagesLabel !== undefined && { pagesLabel })}
      rows={rows.slice((shown - 1) * rowsOfPage, shown * rowsOfPage)}
      count={counted(rows.length)}
      page={shown}
      pages={pages}
      onPage={setPage}
    />
  )
}
