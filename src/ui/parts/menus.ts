import { useEffect } from 'preact/hooks'

/** Closes menus as people are used to: by Escape, which leads back to what has opened it, and by a click elsewhere. */
export function useMenus(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const menu = event.key === 'Escape' ? openMenus().at(-1) : undefined
      if (menu === undefined) return
      // The page would close what stands open beside its list.
      event.stopPropagation()
      event.preventDefault()
      menu.removeAttribute('open')
      menu.querySelector('summary')?.focus()
    }
    const onPointer = ({ target }: PointerEvent) => {
      for (const menu of openMenus()) if (!menu.contains(target as Node)) menu.removeAttribute('open')
    }
    addEventListener('keydown', onKey, true)
    addEventListener('pointerdown', onPointer)
    return () => {
      removeEventListener('keydown', onKey, true)
      removeEventListener('pointerdown', onPointer)
    }
  }, [])
}

/** The innermost last. On a wide page that of the clock stands open for good, without a summary. */
function openMenus(): HTMLElement[] {
  const menus = [...document.querySelectorAll<HTMLElement>('details.menu[open]')]
  return menus.filter((menu) => menu.querySelector('summary')?.checkVisibility())
}
