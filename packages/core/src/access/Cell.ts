import * as Schema from "effect/Schema"

/**
 * The number of a cell: one PostgreSQL cluster of several, with the nodes that use it (D-STO-14). The ids of a cell are
 * a range of their own, so the rows of two cells never have the same id. An installation that states no cell is cell 0.
 */
export const Cell = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8191 })).pipe(Schema.brand("Cell"))

/** The number of a cell, from 0 to 8191. */
export type Cell = typeof Cell.Type

/** The cell of an installation that states none. */
export const single: Cell = Cell.make(0)

/** How many ids a cell has. The highest id of the highest cell is the largest integer that a JSON number holds exactly. */
const size = 2 ** 40

/** Returns the lowest and the highest id of a cell. */
export const ids = (cell: Cell): { readonly first: number; readonly last: number } => ({
  first: cell * size + 1,
  // The last id of cell 8191 would be 2^53, which is beyond the safe integers.
  last: Math.min((cell + 1) * size, Number.MAX_SAFE_INTEGER)
})

/** Returns the cell that generated an id, such as that of an account or a call. */
export const ofId = (id: number): Cell => Cell.make(Math.floor((id - 1) / size))

/** Returns the part of a new API key that names the cell. It is empty for cell 0. */
export const keyPart = (cell: Cell): string => (cell === single ? "" : `${cell}_`)

/** A generated key of another cell than 0: its mode, the cell, and 32 random bytes in base64url. */
const keyForm = /^fd_(?:live|test)_([1-9]\d{0,3})_[A-Za-z0-9_-]{43}$/

/**
 * Returns the cell that an API key names. A key without a cell is one of cell 0, and so is a key that was chosen by a
 * person and not generated.
 */
export const ofKey = (value: string): Cell => {
  const cell = Number(keyForm.exec(value)?.[1] ?? 0)
  return Schema.is(Cell)(cell) ? cell : single
}
