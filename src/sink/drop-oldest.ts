/**
 * Keeps a Map at or below `capacity` by dropping a tenth of it at a time, oldest first. One by one would be slow: finding
 * the oldest key walks over all that were deleted before it.
 */
export function dropOldest(map: Map<unknown, unknown>, capacity: number): void {
  if (map.size <= capacity) return
  let left = Math.max(map.size - capacity, Math.floor(capacity / 10))
  for (const key of map.keys()) {
    if (left-- <= 0) break
    map.delete(key)
  }
}
