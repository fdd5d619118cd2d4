// A scene as a page that looks like a plain editor.
const colours = {
  comment: '#6a737d', keyword: '#8a3ffc', property: '#005a9c', class: '#9a3412', type: '#0f766e', variable: '#1d4ed8', parameter: '#b45309',
  function: '#7c3aed', enumMember: '#0e7490', string: '#166534', number: '#b91c1c', operator: '#475569', namespace: '#a21caf', event: '#be185d',
}
const css = `
* { box-sizing: border-box } body { margin: 0; padding: 16px; background: #e5e7eb; font: 14px/21px "DejaVu Sans Mono", "Liberation Mono", monospace; width: 900px }
.editor { position: relative; background: #fff; border: 1px solid #cbd5e1; border-radius: 6px; padding-bottom: 8px }
.tab { background: #f1f5f9; border-bottom: 1px solid #cbd5e1; padding: 4px 14px; color: #334155; border-radius: 6px 6px 0 0 }
.line { white-space: pre; padding-left: 56px; position: relative; min-height: 21px } .line::before { content: attr(data-n); position: absolute; left: 0; width: 40px; text-align: right; color: #94a3b8 }
.lens { padding-left: 56px; color: #64748b; font-size: 12px; line-height: 20px } .hint { background: #f1f5f9; color: #64748b; font-size: 12px; border-radius: 3px; padding: 1px 4px; margin-left: 8px }
.s1 { text-decoration: underline wavy #dc2626 } .s2 { text-decoration: underline wavy #ca8a04 } .s3 { text-decoration: underline dotted #2563eb }
.box { position: absolute; background: #fff; border: 1px solid #94a3b8; border-radius: 4px; box-shadow: 0 3px 10px #0003; padding: 8px 12px; z-index: 2; max-width: 720px }
.hover { font: 13px/19px "DejaVu Sans", sans-serif } .hover code { background: #f1f5f9; font-family: "DejaVu Sans Mono", monospace } .hover p { margin: 0 0 6px } .hover ol { margin: 0; padding-left: 22px }
.item { white-space: pre } .item:first-child { background: #dbeafe } .item span { color: #64748b }
.problems { border-top: 1px solid #cbd5e1; margin-top: 8px; padding: 6px 14px; font-size: 12px; line-height: 18px; white-space: pre-wrap } .problems b { color: #dc2626 } .problems b.s2 { color: #a16207; text-decoration: none } .problems b.s1 { text-decoration: none } .problems b.s3 { color: #2563eb; text-decoration: none }`

const escaped = s => s.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`)

// styled gives each character of each line its colour and its squiggle.
function styled(scene) {
  const lines = scene.text.replace(/\n$/, '').split('\n').map(l => [...l].map(c => ({ c, colour: '', severity: 0 })))
  let line = 0, character = 0
  for (let i = 0; i < scene.tokens.length; i += 5) {
    const [dl, dc, length, type] = scene.tokens.slice(i, i + 4)
    if (dl) character = 0
    line += dl
    character += dc
    for (let k = 0; k < length; k++) if (lines[line]?.[character + k]) lines[line][character + k].colour = colours[scene.legend[type]]
  }
  for (const f of scene.findings) {
    for (let l = f.range.start.line; l <= f.range.end.line; l++) {
      const from = l === f.range.start.line ? f.range.start.character : 0
      const to = l === f.range.end.line ? Math.max(f.range.end.character, from + 1) : Infinity
      for (let k = from; k < Math.min(to, lines[l]?.length ?? 0); k++) lines[l][k].severity = f.severity
    }
  }
  return lines
}

function spans(cells) {
  let out = ''
  for (let i = 0; i < cells.length;) {
    let j = i + 1
    while (j < cells.length && cells[j].colour === cells[i].colour && cells[j].severity === cells[i].severity) j++
    const text = escaped(cells.slice(i, j).map(x => x.c).join(''))
    out += `<span class="s${cells[i].severity}" style="color:${cells[i].colour || '#1e293b'}">${text}</span>`
    i = j
  }
  return out
}

// markdown renders what hovers are made of: paragraphs, code, numbered lists.
function markdown(text) {
  const inline = s => escaped(s).replace(/`([^`]+)`/g, '<code>$1</code>').replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
  return text.trim().split('\n\n').map(block => /^1\. /.test(block)
    ? '<ol>' + block.split('\n').map(l => `<li>${inline(l.replace(/^1\. /, ''))}</li>`).join('') + '</ol>'
    : `<p>${inline(block)}</p>`).join('')
}

const columns = 8.43 // the width of a character of the font at 14 px

export function page(scene) {
  if (scene.svg) {
    const [, , w, h] = /viewBox="([^"]*)"/.exec(scene.svg)[1].split(' ').map(Number)
    return { html: `<!doctype html><style>body{margin:0;padding:16px;background:#fff}svg{width:${w}px;height:${h}px}</style>${scene.svg}`, width: Math.ceil(w) + 32, height: Math.ceil(h) + 36 }
  }
  const rows = []
  let top = 0, box = '', bottom = 0
  styled(scene).forEach((cells, n) => {
    for (const l of [scene.lenses.filter(l => l.line === n).map(l => l.title)].filter(l => l.length)) {
      rows.push(`<div class="lens">${l.map(escaped).join(' | ')}</div>`)
      top += 20
    }
    const hints = scene.hints.filter(h => h.position.line === n).map(h => `<span class="hint">${escaped(h.label)}</span>`).join('')
    rows.push(`<div class="line" data-n="${n + 1}">${spans(cells)}${hints}</div>`)
    top += 21
    if (scene.at?.line === n) {
      const style = `style="top:${top + 30}px;left:${Math.min(56 + scene.at.character * columns, 420)}px"`
      bottom = top + 30 + 16 + 21 * (scene.list?.length ?? 8) + 40
      const items = scene.list?.map(i => `<div class="item">${escaped(i.label.padEnd(18))} <span>${escaped(i.detail ?? '')}</span></div>`).join('')
      box = `<div class="box ${scene.hover ? 'hover' : ''}" ${style}>${scene.hover ? markdown(scene.hover) : items}</div>`
    }
  })
  const problems = scene.problems === false ? '' : `<div class="problems">${scene.findings.map(f =>
    `<b class="s${f.severity}">${['', 'error', 'warning', 'info'][f.severity]}</b> ${f.range.start.line + 1}:${f.range.start.character + 1} ${f.code} ${escaped(f.message)}`).join('\n')}</div>`
  const lines = scene.findings.reduce((n, f) => n + f.message.split('\n').length, 0)
  const editor = 32 + 30 + top + 8 + (problems ? 21 + 18 * lines : 0)
  const height = Math.max(editor, bottom)
  return { html: `<!doctype html><meta charset="utf-8"><style>${css}</style><div class="editor"><div class="tab">${escaped(scene.name)}</div>${rows.join('')}${box}${problems}</div>`, width: 900, height }
}
