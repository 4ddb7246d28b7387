import t from 'tap'
import { interfaces } from './pages.ts'
import { walkPages } from './walk-pages.ts'

walkPages(t, interfaces)
