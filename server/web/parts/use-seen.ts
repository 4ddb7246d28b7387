import { type RefObject, useEffect, useRef, useState } from 'react'

/** Whether a part of the page has ever been in view. */
export function useSeen<E extends Element>(): [RefObject<E>, boolean] {
  const part = useRef<E>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const watcher = new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting)) setSeen(true)
    })
    if (part.current) watcher.observe(part.current)
    return () => watcher.disconnect()
  }, [])
  return [part, seen]
}
