/**
 * Sets a key of a map and moves it to the end. When the map then has more than `maxSize` keys, deletes the first one,
 * which was set longest ago. So a map that is only changed with this function is a bounded cache.
 */
export const set = <K, V>(map: Map<K, V>, key: K, value: V, maxSize: number): void => {
  map.delete(key)
  map.set(key, value)
  if (map.size <= maxSize) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}
