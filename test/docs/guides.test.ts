import t from 'tap'
import { guides } from './pages.ts'
import { walkPages } from './walk-pages.ts'

walkPages(t, guides)
