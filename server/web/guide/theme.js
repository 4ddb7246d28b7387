// Before the page is drawn, so that it does not flash in the other colours. The explorer stores the same choice.
;(() => {
  const stored = localStorage.getItem('theme')
  const isDark = stored ? stored === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
})()
