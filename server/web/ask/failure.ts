import { TrancheError } from '../../v1/client.ts'

/** A server's error. */
export async function failureOf(response: Response): Promise<TrancheError> {
  const text = await response.text()
  try {
    return new TrancheError(response.status, JSON.parse(text).error)
  } catch {
    return new TrancheError(response.status, {
      code: `HTTP_${response.status}`,
      message: text.slice(0, 200) || `the server answered ${response.status}`,
    })
  }
}

/** Whether a request ran out of time while its day was derived: finished parts are kept, so that the same request goes on from there. */
export const isBeingDerived = (error: unknown): boolean =>
  error instanceof TrancheError && error.code === 'QUERY_TIMEOUT' && error.details['as_of'] !== undefined
