// The reader's hands in a drawn diff: clicks on folds, links and the list of changes, going to a row, reading on.

const PATIENCE = 1500 // milliseconds until a part that was asked for and did not come is asked for again
const HEADER = 70 // pixels at the top that the header may cover
const MARGIN = 48 // pixels of a long line that are shown before its change
const AHEAD = "0px 0px 800px 0px" // the next part is asked for before its place comes into view
const LINES = ".tl-diff.side.keep .x"
const states = new WeakMap()
const gone = new Map() // by prefix: the pair and what was brought into view last; a diff that is drawn anew elsewhere keeps it
const led = new WeakMap() // lines that were moved along with another one, and how far they came

function start(state) {
  const mine = (element) => element?.closest(`[data-diff="${state.prefix}"]`)
  const onClick = (event) => {
    const target = event.target.closest?.("[data-go], [data-fold]")
    if (!target || !mine(target)) return
    event.preventDefault()
    if (target.dataset.fold !== undefined) state.tell("fold", Number(target.dataset.fold))
    else state.tell("go", Number(target.dataset.go))
  }
  const onPress = (event) => {
    const cell = event.target.closest?.(".tl-diff .c")
    const area = cell && mine(cell) && cell.closest('[class*="st-key-"]')
    if (area) area.dataset.side = cell.classList.contains("o") ? "o" : cell.classList.contains("n") ? "n" : ""
  }
  // Lines of code that are too long for their column move sideways together.
  const onScroll = (event) => {
    const at = event.target.scrollLeft
    if (!event.target.matches?.(LINES) || !mine(event.target) || led.get(event.target) === at) return
    for (const each of document.querySelectorAll(LINES)) {
      if (each === event.target) continue
      each.scrollLeft = at
      led.set(each, each.scrollLeft) // a shorter line stops at its own end, and must not pull the others back there
    }
    led.delete(event.target)
  }
  document.addEventListener("click", onClick)
  document.addEventListener("mousedown", onPress)
  document.addEventListener("scroll", onScroll, { capture: true, passive: true })
  // What the page is about to draw is drawn after this script has run, and drawn anew without it.
  const drawn = new MutationObserver(() => soon(state))
  drawn.observe(document.querySelector('[data-testid="stMain"]') ?? document.body, { childList: true, subtree: true })
  state.end = () => {
    drawn.disconnect()
    document.removeEventListener("click", onClick)
    document.removeEventListener("mousedown", onPress)
    document.removeEventListener("scroll", onScroll, { capture: true })
    state.observer?.disconnect()
    clearTimeout(state.later)
    cancelAnimationFrame(state.frame)
  }
}

function mark(state) {
  for (const each of document.querySelectorAll(`[data-diff="${state.prefix}"] .here`)) each.classList.remove("here")
  const row = state.row === null ? null : document.getElementById(`${state.prefix}-r${state.row}`)
  row?.classList.add("here")
  return row
}

function watchEnd(state) {
  const end = document.querySelector(`[data-diff="${state.prefix}"] [data-more]`)
  if (end === state.watched) return
  state.observer?.disconnect()
  state.watched = end
  if (!end) return
  const main = document.querySelector('[data-testid="stMain"]')
  state.observer = new IntersectionObserver(
    (seen) => {
      if (!seen.some((one) => one.isIntersecting)) return
      state.observer.disconnect()
      state.tell("more", Number(end.dataset.more))
      clearTimeout(state.later)
      state.later = setTimeout(() => {
        state.watched = null
        watchEnd(state)
      }, PATIENCE)
    },
    { root: main, rootMargin: AHEAD },
  )
  state.observer.observe(end)
}

// What can be scrolled can be reached by Tab.
function makeReachable() {
  for (const each of document.querySelectorAll(LINES)) {
    if (each.scrollWidth > each.clientWidth) each.tabIndex = 0
    else each.removeAttribute("tabindex")
  }
}

function bring(row) {
  bringSideways(row)
  const { top, bottom } = row.getBoundingClientRect()
  if (top > HEADER && bottom < innerHeight) return
  const quiet = matchMedia("(prefers-reduced-motion: reduce)").matches
  row.scrollIntoView({ block: "center", behavior: quiet ? "auto" : "smooth" })
}

// The first change of a line that is too long for its column.
function bringSideways(row) {
  const change = row.querySelector("ins, del")
  const lines = change?.closest(`${LINES}, .tl-diff.inline.keep`)
  if (!lines) return
  const [seen, wanted] = [lines, change].map((each) => each.getBoundingClientRect())
  if (wanted.left < seen.left || wanted.right > seen.right) lines.scrollLeft += wanted.left - seen.left - MARGIN
}

function settle(state) {
  const row = mark(state)
  watchEnd(state)
  makeReachable()
  const last = gone.get(state.prefix)
  if (!row || (last?.pair === state.pair && last.asked === state.asked)) return
  gone.set(state.prefix, { pair: state.pair, asked: state.asked })
  bring(row)
}

// Once in the next frame, however often it is asked for.
function soon(state) {
  state.frame ||= requestAnimationFrame(() => {
    state.frame = 0
    settle(state)
  })
}

export default function ({ data, parentElement, setTriggerValue }) {
  if (!states.has(parentElement)) states.set(parentElement, {})
  const state = states.get(parentElement)
  const { prefix, pair, row, asked } = data
  Object.assign(state, { prefix, pair, row, asked, tell: setTriggerValue })
  if (!state.end) start(state)
  soon(state)
  return () => {
    state.end?.()
    states.delete(parentElement)
  }
}
