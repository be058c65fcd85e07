import { useEffect } from 'preact/hooks'

/** Closes menus as usual: with Escape, which returns the focus, and with a click elsewhere. */
export function useMenus(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const menu = event.key === 'Escape' ? openMenus().at(-1) : undefined
      if (menu === undefined) return
      // Otherwise the page would also close the opened item.
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

/** Open menus, the innermost last. On a wide page the clock's menu is always open, without a summary. */
function openMenus(): HTMLElement[] {
  const menus = [...document.querySelectorAll<HTMLElement>('details.menu[open]')]
  return menus.filter((menu) => menu.querySelector('summary')?.checkVisibility())
}
