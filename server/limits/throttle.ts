/** Counts a request of an address; returns seconds to wait if it is over its limit, else 0. */
export type Throttle = (address: string, now: number) => number

/** At most `allowed` per address and window; remembers the `most` recent addresses. */
export function throttle({
  allowed,
  windowMs = 60_000,
  most = 10_000,
}: {
  allowed: number
  windowMs?: number
  most?: number
}): Throttle {
  const seen = new Map<string, { count: number; until: number }>()
  return (address, now) => {
    const place = network(address)
    const known = seen.get(place)
    const window = known && known.until > now ? known : { count: 0, until: now + windowMs }
    // If the clock jumps back, nobody waits for more than a window.
    window.until = Math.min(window.until, now + windowMs)
    window.count++
    seen.delete(place)
    seen.set(place, window)
    if (seen.size > most) seen.delete(seen.keys().next().value!)
    return window.count > allowed ? Math.max(1, Math.ceil((window.until - now) / 1000)) : 0
  }
}

/** An IPv6 household or machine has a whole /64. */
export function network(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right].slice(0, 4).join(':')
}
