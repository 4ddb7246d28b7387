import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'

/** A form that changes the session, and the response to it. */
export function useSending(send: (form: FormData) => Promise<unknown>) {
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(false)
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    setBusy(true)
    setDone(false)
    try {
      await send(new FormData(form))
      form.reset()
      setError(null)
      setDone(true)
      await queries.invalidateQueries({ queryKey: ['session'] })
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  return { submit, error, busy, done }
}
