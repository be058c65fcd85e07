/**
 * What a Chromium with windows loads for each of them: two pages below its address bar, a fifth of the processor time of these tests. The last
 * `--disable-features` counts, so this one repeats those of Playwright's that ask the network or change a page.
 */
const WITHOUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'SpareRendererForSitePerProcess',
]

/** Options of a Chromium for tests: without what costs and shows nothing. */
export const CHROMIUM_ARGS = [`--disable-features=${WITHOUT}`, '--disable-gpu']
