// Goes to the end of the page when `data.place` changes, then follows new text only while the reader is at the end.

const NEAR = 48 // pixels from the end that still count as being at the end
const watches = new WeakMap()

function distanceToEnd(main) {
  return main.scrollHeight - main.scrollTop - main.clientHeight
}

function watch(main) {
  const state = { place: null, atEnd: false, height: main.scrollHeight }
  const toEnd = () => {
    main.scrollTop = main.scrollHeight
  }
  const onScroll = () => {
    // A page that became shorter moves by itself; that is not the reader's doing.
    if (main.scrollHeight >= state.height) state.atEnd = distanceToEnd(main) <= NEAR
    state.height = main.scrollHeight
  }
  const onGrowth = () => {
    state.height = main.scrollHeight
    if (state.atEnd) toEnd()
  }
  const growth = new ResizeObserver(onGrowth)
  for (const child of main.children) growth.observe(child)
  main.addEventListener("scroll", onScroll, { passive: true })
  return {
    open(place) {
      if (place === state.place) return
      state.place = place
      state.atEnd = true
      toEnd()
    },
    end() {
      growth.disconnect()
      main.removeEventListener("scroll", onScroll)
    },
  }
}

export default function ({ data, parentElement }) {
  const main = document.querySelector('[data-testid="stMain"]')
  if (!main) return
  if (!watches.has(parentElement)) watches.set(parentElement, watch(main))
  watches.get(parentElement).open(data.place)
  return () => {
    watches.get(parentElement)?.end()
    watches.delete(parentElement)
  }
}
