import type { ComponentProps, ReactNode } from "react"
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

/** A list of records as a table. The first column names the record. */
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
  const look = ({ isExtra = false, isNumber = false }: Column<Row>): string =>
    `px-2 py-2.5 first:pl-4 last:pr-4 sm:px-4 ${isNumber ? "text-right tabular-nums" : "text-left"} ${isExtra ? "hidden md:table-cell" : ""}`
  return (
    // A table that is wider than the screen scrolls by itself, also with the keyboard.
    <div className="scroll-shadows overflow-x-auto rounded-[inherit]" role="region" aria-label={label} tabIndex={0}>
      <table className="w-full border-collapse">
        <thead>
          <tr className="border-line border-b">
            {columns.map((column) => (
              <th key={column.name} scope="col" className={`text-muted text-xs font-medium ${look(column)}`}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-line hover:bg-raised border-b last:border-b-0">
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.name} scope="row" className={`font-normal ${look(column)}`}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.name} className={look(column)}>
                    {column.cell(row)}
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
