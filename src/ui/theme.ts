// Set before the first paint. A file of its own, since the policy of the page forbids scripts in it.
const theme = localStorage.getItem('backlot-theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
