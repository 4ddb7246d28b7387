import type { Name } from '../../v1/client.ts'
import { takesFirstPrints } from '../../v1/client-routes.ts'
import { useRoute } from '../app/route.ts'

/** Whether the reader asks for figures as first reported: the parameter `reported` of the link, which stays on every page. */
export const useFirstPrints = (): boolean => useRoute().query.get('reported') === 'original'

/** Whether an operation has figures as first reported. */
export const hasFirstPrints = (name: Name): boolean => Object.hasOwn(takesFirstPrints, name)

/** The parameter of a call to an operation, if the reader asks for first prints and it has them. */
export const printParam = (name: Name, isAsked: boolean): { reported?: 'original' } =>
  isAsked && hasFirstPrints(name) ? { reported: 'original' } : {}
