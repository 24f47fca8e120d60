/**
 * Sets a key of a map as the one that was set last, and deletes the key that was set longest ago if the map then has more
 * than `maxSize`.
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
