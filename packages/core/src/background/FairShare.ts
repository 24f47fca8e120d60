/**
 * How many times as many places as are free an account may have when it gets another one. An account that is alone thus
 * gets three quarters of all places.
 */
export const placesPerFreePlace = 3

/** The free places of a process, and those that are taken. */
export interface Places<Account, Line> {
  /** The number of free places. */
  readonly free: number
  /** The number of places that each account has. An account without any may be absent. */
  readonly takenByAccount: ReadonlyMap<Account, number>
  /** The maximum number of places of a line, such as one endpoint. */
  readonly perLine: number
  /** The number of places that each line has, or that are kept free for others. A line without any may be absent. */
  readonly takenByLine: ReadonlyMap<Line, number>
}

/** To whom an item that needs a place belongs. Each line belongs to one account. */
export interface Owners<Item, Account, Line> {
  readonly account: (item: Item) => Account
  readonly line: (item: Item) => Line
}

/**
 * Returns whether an account with this many places may get another one while so many are free (D-DEL-31).
 *
 * An account that is alone stops at three quarters of the places, and two accounts at three sevenths each. So places stay
 * free for an account that has none, however much work the others have and however long it lasts.
 */
export const mayTake = (taken: number, free: number): boolean => free > 0 && taken < placesPerFreePlace * free

/**
 * Returns the items that get the free places, in their order. They must be ordered by precedence.
 *
 * Places are shared by account first, then by line. Each account gets its first place before any gets its second one, and
 * so on; the places that it has already count too. An account uses its places for its lines in the same way. Among items
 * of equal rank the order of the items decides. Sharing ends when an account would get more than {@link mayTake} allows.
 */
export const choose = <Item, Account, Line>(
  items: ReadonlyArray<Item>,
  owners: Owners<Item, Account, Line>,
  { free, perLine, takenByAccount, takenByLine }: Places<Account, Line>
): ReadonlyArray<Item> => {
  const all = items.map((item, index) => ({ item, index, place: 0 }))
  const inLine = ranked(all, owners.line, takenByLine).filter(({ place }) => place <= perLine)
  const inAccount = ranked(inLine.toSorted(byPlace), owners.account, takenByAccount)
  return inAccount
    .toSorted(byPlace)
    .filter(({ place }, given) => mayTake(place - 1, free - given))
    .toSorted((a, b) => a.index - b.index)
    .map(({ item }) => item)
}

/** Returns the places after these items have got some of the free ones. */
export const afterTaking = <Item, Account, Line>(
  places: Places<Account, Line>,
  items: ReadonlyArray<Item>,
  owners: Owners<Item, Account, Line>
): Places<Account, Line> =>
  items.length === 0
    ? places
    : {
        ...places,
        free: places.free - items.length,
        takenByAccount: added(places.takenByAccount, items.map(owners.account)),
        takenByLine: added(places.takenByLine, items.map(owners.line))
      }

const added = <Owner>(counts: ReadonlyMap<Owner, number>, owners: ReadonlyArray<Owner>): ReadonlyMap<Owner, number> => {
  const after = new Map(counts)
  for (const owner of owners) after.set(owner, (after.get(owner) ?? 0) + 1)
  return after
}

interface Ranked<Item> {
  readonly item: Item
  readonly index: number
  /** How many places its owner has when it gets this one. */
  readonly place: number
}

/** Returns the items with the number of places that each owner has when its items get places in this order. */
const ranked = <Item, Owner>(
  items: ReadonlyArray<Ranked<Item>>,
  ownerOf: (item: Item) => Owner,
  taken: ReadonlyMap<Owner, number>
): ReadonlyArray<Ranked<Item>> => {
  const counts = new Map(taken)
  return items.map((ranked) => {
    const owner = ownerOf(ranked.item)
    const place = (counts.get(owner) ?? 0) + 1
    counts.set(owner, place)
    return { ...ranked, place }
  })
}

const byPlace = <Item>(a: Ranked<Item>, b: Ranked<Item>): number => a.place - b.place || a.index - b.index
