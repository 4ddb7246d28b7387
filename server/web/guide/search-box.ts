import type { Hit } from './search-index.ts'

/** The search of the guide: `/` or Ctrl-K, then by keyboard alone. The index is loaded when it is first needed. */
// Over 80 lines: one combobox, whose keys, list and requests share their state.
export function startSearch(prefix: string): void {
  const place = document.querySelector('search')
  if (!place) return
  const box = Object.assign(document.createElement('input'), {
    type: 'text',
    placeholder: 'Search the guide  /',
  })
  const list = Object.assign(document.createElement('div'), { id: 'hits', hidden: true })
  for (const [name, value] of [
    ['role', 'combobox'],
    ['aria-label', 'Search the guide'],
    ['aria-controls', 'hits'],
    ['aria-expanded', 'false'],
    ['aria-autocomplete', 'list'],
    ['autocomplete', 'off'],
    ['spellcheck', 'false'],
  ] as const)
    box.setAttribute(name, value)
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', 'Found in the guide')
  place.append(box, list)

  let find: Promise<(words: string) => Hit[]> | undefined
  const index = () => {
    find ??= import('./search-index.ts').then(({ openIndex }) => openIndex(`${prefix}/guide/search.json`))
    return find
  }
  let chosen = 0
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>('[role=option]')]

  function choose(at: number): void {
    const all = options()
    chosen = all.length === 0 ? 0 : (at + all.length) % all.length
    for (const [i, option] of all.entries()) option.setAttribute('aria-selected', String(i === chosen))
    const option = all[chosen]
    option?.scrollIntoView({ block: 'nearest' })
    if (option) box.setAttribute('aria-activedescendant', option.id)
    else box.removeAttribute('aria-activedescendant')
  }

  function show(isOpen: boolean): void {
    list.hidden = !isOpen
    box.setAttribute('aria-expanded', String(isOpen))
  }

  async function search(): Promise<void> {
    const words = box.value.trim()
    if (words === '') return show(false)
    const hits = (await index())(words)
    if (box.value.trim() !== words) return
    list.replaceChildren(
      ...(hits.length > 0 ? hits.map((hit, i) => optionOf(hit, prefix, i)) : [nothing(words)]),
    )
    show(true)
    choose(0)
  }

  box.addEventListener('focus', () => void index())
  box.addEventListener('input', () => void search())
  box.addEventListener('keydown', event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      choose(chosen + step)
    } else if (event.key === 'Enter') options()[chosen]?.click()
    else if (event.key === 'Escape') {
      show(false)
      box.blur()
    }
  })
  list.addEventListener('click', () => show(false))
  document.addEventListener('pointerdown', ({ target }) => {
    if (!place.contains(target as Node)) show(false)
  })
  document.addEventListener('keydown', event => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName)
    if ((event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !isTyping)) {
      event.preventDefault()
      box.focus()
      box.select()
    }
  })
}

function optionOf({ address, page, heading, excerpt }: Hit, prefix: string, i: number): HTMLElement {
  const option = document.createElement('a')
  option.href = prefix + address
  option.id = `hit-${i}`
  option.tabIndex = -1
  option.setAttribute('role', 'option')
  const title = document.createElement('b')
  title.textContent = heading === '' ? page : `${page} › ${heading}`
  const text = document.createElement('span')
  text.textContent = excerpt
  option.append(title, text)
  return option
}

function nothing(words: string): HTMLElement {
  const text = document.createElement('p')
  text.textContent = `Nothing in the guide has “${words}”. Try fewer words, or the name of a column.`
  return text
}
