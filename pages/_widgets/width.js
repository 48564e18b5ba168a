// Tells how wide the page is, in steps, whenever that changes: what is drawn on the server cannot know it.

const STEP = 40 // pixels; smaller changes are not worth a run of the page
const watches = new WeakMap()

function watch(main, state) {
  const measure = () => {
    const style = getComputedStyle(main)
    const inside = main.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    const width = Math.floor(inside / STEP) * STEP
    if (width <= 0 || width === state.told) return
    state.told = width
    state.tell("width", width)
  }
  const observer = new ResizeObserver(measure)
  observer.observe(main)
  return {
    state,
    end() {
      observer.disconnect()
    },
  }
}

export default function ({ data, parentElement, setStateValue }) {
  const main = document.querySelector('[data-testid="stMainBlockContainer"]')
  if (!main) return
  if (!watches.has(parentElement)) {
    watches.set(parentElement, watch(main, { told: data.width, tell: setStateValue }))
  }
  watches.get(parentElement).state.tell = setStateValue
  return () => {
    watches.get(parentElement)?.end()
    watches.delete(parentElement)
  }
}
