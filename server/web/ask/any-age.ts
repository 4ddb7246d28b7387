import type { Name } from '../../v1/client.ts'
import { takesMaxAge } from '../../v1/client-routes.ts'
import { useRoute } from '../app/route.ts'

/** Whether the reader asks for figures of any age: the parameter `max_age` of the link. */
export const useAnyAge = (): boolean => useRoute().query.get('max_age') === 'none'

/** The parameter of a call to an operation, if the reader asks for figures of any age and it leaves out old ones. */
export const ageParam = (name: Name, isAsked: boolean): { max_age?: 'none' } =>
  isAsked && Object.hasOwn(takesMaxAge, name) ? { max_age: 'none' } : {}
