// Draws a chain of versions: a button for each, a line from each to what it was made from. Text only, no markup.

const WIDE = 148 // pixels from one version to the next
const HIGH = 84 // pixels from one lane to the next
const BOX = { width: 124, height: 68 }
const SVG = "http://www.w3.org/2000/svg"

function place(node, index) {
  return { x: index * WIDE, y: node.lane * HIGH }
}

function line(from, to, kind) {
  const path = document.createElementNS(SVG, "path")
  const start = { x: from.x + BOX.width, y: from.y + BOX.height / 2 }
  const end = { x: to.x, y: to.y + BOX.height / 2 }
  const bend = start.x + (WIDE - BOX.width) / 2
  // Along the lane of the older one to its border, then across, then along the lane of the newer one.
  const way = from.y === to.y ? `M${start.x} ${start.y} H${end.x}` : `M${start.x} ${start.y} H${bend} V${end.y} H${end.x}`
  path.setAttribute("d", way)
  path.setAttribute("class", kind)
  return path
}

function element(name, className, text) {
  const made = document.createElement(name)
  made.className = className
  made.textContent = text
  return made
}

function icon(name) {
  const made = element("span", "icon", name) // the font draws the name as a picture
  made.setAttribute("aria-hidden", "true")
  return made
}

function button(node, at, choose) {
  const made = element("button", `node ${node.colour} ${node.shown}`, "")
  made.type = "button"
  made.title = node.tip
  made.style.left = `${at.x}px`
  made.style.top = `${at.y}px`
  made.setAttribute("aria-label", [node.label, node.under, node.tip, node.mark].filter(Boolean).join(", "))
  if (node.shown === "new") made.setAttribute("aria-current", "true")
  const head = element("span", "head", "")
  head.append(icon(node.by), element("span", "label", node.label))
  if (node.mark) head.append(element("span", "mark", node.mark))
  const under = element("span", "under", "")
  under.append(icon(node.icon), node.under)
  made.append(head, under)
  made.onclick = () => choose(node.number)
  return made
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".chain") ?? document.createElement("div")
  root.className = "chain"
  root.setAttribute("role", "group")
  root.setAttribute("aria-label", data.name)
  const places = new Map(data.nodes.map((node, index) => [node.id, place(node, index)]))
  const size = {
    width: (data.nodes.length - 1) * WIDE + BOX.width,
    height: (Math.max(...data.nodes.map((node) => node.lane)) + 1) * HIGH - (HIGH - BOX.height),
  }
  const field = element("div", "field", "")
  field.style.width = `${size.width}px`
  field.style.height = `${size.height}px`
  const lines = document.createElementNS(SVG, "svg")
  lines.setAttribute("width", size.width)
  lines.setAttribute("height", size.height)
  lines.setAttribute("aria-hidden", "true")
  for (const node of data.nodes) {
    const from = places.get(node.parent)
    if (from) lines.append(line(from, places.get(node.id), "made"))
  }
  const buttons = data.nodes.map((node) =>
    button(node, places.get(node.id), (number) => setTriggerValue("chosen", number)),
  )
  field.append(lines, ...buttons)
  const focused = parentElement.ownerDocument.activeElement ? root.getRootNode().activeElement : null
  const had = focused?.getAttribute?.("data-number")
  root.replaceChildren(...(data.older ? [element("p", "older", data.older)] : []), field)
  buttons.forEach((one, index) => one.setAttribute("data-number", data.nodes[index].number))
  if (!root.isConnected) parentElement.append(root)
  if (had) buttons.find((one) => one.getAttribute("data-number") === had)?.focus()
  const shown = buttons.find((one) => one.classList.contains("new"))
  if (shown && root.dataset.shown !== shown.getAttribute("data-number")) {
    root.dataset.shown = shown.getAttribute("data-number")
    root.scrollLeft = Math.max(0, shown.offsetLeft + BOX.width + 8 - root.clientWidth)
  }
}
