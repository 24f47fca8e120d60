/** A page of a list of events. */
export interface EventPage<E> {
  /** The number of events in the whole list. */
  readonly count: number
  readonly page: number
  readonly pages: number
  readonly events: ReadonlyArray<E>
}

/**
 * Reads a page of a list with its last event first. The list itself begins with its first event, so its pages are read from
 * the last one back. The first page is shorter than the others when the last page of the list is.
 */
export const lastFirst = async <E>(
  list: (page: number) => PromiseLike<EventPage<E>>,
  page: number
): Promise<EventPage<E>> => {
  const first = await list(1)
  const wanted = Math.max(1, first.pages - page + 1)
  const found = wanted === 1 ? first : await list(wanted)
  return { ...found, page, events: found.events.toReversed() }
}
