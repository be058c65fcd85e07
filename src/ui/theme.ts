// Set before the first paint, in a separate file because the page's policy forbids inline scripts.
const theme = localStorage.getItem('backlot-theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
