import './guide.css'
import { startSearch } from './search-box.ts'
import { startTabs } from './tabs.ts'
import { startTry } from './try.ts'

/** The path under which the server is mounted; '' at the root. */
const prefix = (
  document.querySelector<HTMLAnchorElement>('.brand')?.getAttribute('href') ?? '/guide'
).replace(/\/guide$/, '')

function startTheme(): void {
  const button = document.querySelector<HTMLButtonElement>('button.theme')
  const { dataset } = document.documentElement
  if (!button) return
  const name = () => {
    button.textContent = dataset['theme'] === 'dark' ? 'Light' : 'Dark'
    button.setAttribute('aria-label', `Change to ${dataset['theme'] === 'dark' ? 'light' : 'dark'}`)
  }
  button.hidden = false
  button.onclick = () => {
    dataset['theme'] = dataset['theme'] === 'dark' ? 'light' : 'dark'
    localStorage.setItem('theme', dataset['theme'])
    name()
  }
  name()
}

/** On a narrow screen the list of pages stays closed until it is asked for. */
function startMenu(): void {
  const menu = document.querySelector<HTMLDetailsElement>('details.menu')
  const narrow = matchMedia('(max-width: 900px)')
  const follow = () => {
    if (menu) menu.open = !narrow.matches
  }
  narrow.addEventListener('change', follow)
  follow()
  const current = menu?.querySelector<HTMLElement>('[aria-current]')
  if (current && menu && !narrow.matches) menu.scrollTop = current.offsetTop - menu.clientHeight / 2
}

function startCopying(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.onclick = async () => {
      await navigator.clipboard.writeText(block.querySelector('pre')?.textContent ?? '')
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1500)
    }
    block.append(button)
  }
}

startTheme()
startMenu()
startTabs()
if (navigator.clipboard) startCopying()
startSearch(prefix)
startTry(prefix)
