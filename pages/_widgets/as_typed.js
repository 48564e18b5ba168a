// Makes the text area of `data.key` send its text after a pause in typing, as if the field were left and entered again.

const PAUSE = 1200 // milliseconds without a key
const watches = new WeakMap()
const entered = new Set() // keys of text areas that were given the keyboard once

function watch(key) {
  let timer = 0
  const field = (event) =>
    event.target instanceof HTMLTextAreaElement && event.target.closest(`.st-key-${CSS.escape(key)}`)
  const send = (area) => {
    if (!area.isConnected || document.activeElement !== area) return // it was left, and so it has sent already
    area.dispatchEvent(new FocusEvent("focusout", { bubbles: true }))
    area.dispatchEvent(new FocusEvent("focusin", { bubbles: true }))
  }
  const onInput = (event) => {
    if (!field(event)) return
    clearTimeout(timer)
    // Half a Chinese word is no text yet; the end of its composition comes here too.
    if (!event.isComposing) timer = setTimeout(send, PAUSE, event.target)
  }
  document.addEventListener("input", onInput)
  document.addEventListener("compositionend", onInput)
  return {
    key,
    end() {
      clearTimeout(timer)
      document.removeEventListener("input", onInput)
      document.removeEventListener("compositionend", onInput)
    },
  }
}

function enter(key) {
  if (entered.has(key)) return
  entered.add(key)
  if (document.activeElement === document.body) document.querySelector(`.st-key-${CSS.escape(key)} textarea`)?.focus()
}

export default function ({ data, parentElement }) {
  if (!watches.has(parentElement)) watches.set(parentElement, watch(data.key))
  if (data.enter) enter(data.key)
  return () => {
    watches.get(parentElement)?.end()
    watches.delete(parentElement)
  }
}
