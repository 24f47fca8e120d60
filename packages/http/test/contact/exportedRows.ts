import { exportedColumns } from "@frontdesk/core/contact-file/ContactColumns"
import * as Csv from "@frontdesk/core/contact-file/Csv"

/**
 * Returns the cells of each line of an exported file without those of the named columns. Only the first page of a file
 * has a line with the names of the columns, but all pages have the same columns.
 */
export const rowsWithout = (csv: string, leftOut: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  Csv.read(csv, 0, { separator: ",", isLast: true, maxRecords: Number.POSITIVE_INFINITY }).records.map(({ cells }) =>
    cells.filter((_cell, index) => !leftOut.includes(exportedColumns[index] ?? ""))
  )
