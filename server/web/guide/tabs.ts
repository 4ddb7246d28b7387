const NAME = 'guide.tab'

/** Turns the forms of an example into tabs. A choice holds for every example of every page. */
export function startTabs(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('.tabs')].map(makeTabs)
  const choose = (form: string) => {
    for (const show of groups) show(form)
  }
  const stored = localStorage.getItem(NAME)
  choose(stored ?? '')
  document.addEventListener('click', ({ target }) => {
    const form = (target as HTMLElement).dataset?.['form']
    if (form !== undefined) {
      const { top } = (target as HTMLElement).getBoundingClientRect()
      localStorage.setItem(NAME, form)
      choose(form)
      // Examples above may have changed their height: what was clicked stays where it was.
      scrollBy(0, (target as HTMLElement).getBoundingClientRect().top - top)
    }
  })
}

let made = 0

/** Adds the row of tabs; returns what shows a form, or the first if the example has no such form. */
function makeTabs(group: HTMLElement): (form: string) => void {
  const sections = [...group.querySelectorAll<HTMLElement>(':scope > section')]
  const list = document.createElement('div')
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Form of the example')
  const buttons = sections.map(section => {
    const form = section.dataset['tab'] ?? ''
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = form
    button.dataset['form'] = form
    button.setAttribute('role', 'tab')
    section.id = `form-${++made}`
    section.setAttribute('role', 'tabpanel')
    button.setAttribute('aria-controls', section.id)
    list.append(button)
    return button
  })
  list.addEventListener('keydown', event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    if (step === undefined || at < 0) return
    event.preventDefault()
    const next = buttons[(at + step + buttons.length) % buttons.length]
    next?.click()
    next?.focus()
  })
  group.prepend(list)
  return form => {
    const found = sections.findIndex(section => section.dataset['tab'] === form)
    const at =
      found < 0 ? (sections.some(section => !section.hidden) && list.dataset['shown'] ? -1 : 0) : found
    if (at < 0) return
    list.dataset['shown'] = 'true'
    for (const [i, section] of sections.entries()) {
      section.hidden = i !== at
      buttons[i]?.setAttribute('aria-selected', String(i === at))
      if (buttons[i]) buttons[i].tabIndex = i === at ? 0 : -1
    }
  }
}
