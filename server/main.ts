/** The server for programs that serve it themselves, or mount it in an Express application of their own. */
export { type App, type AppOptions, createApp } from './app/app.ts'
export { sitePages } from './pages/site-pages.ts'
export { openState } from './state/open.ts'
