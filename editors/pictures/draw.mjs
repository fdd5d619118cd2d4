// Draws docs/images anew from a session with the real server: `node draw.mjs`.
import { execFile } from 'node:child_process'
import { mkdtemp, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { page } from './page.mjs'
import { session, told } from './session.mjs'

const images = join(import.meta.dirname, '..', '..', 'docs', 'images')
const scenes = await session()
const dir = await mkdtemp(join(tmpdir(), 'iterion-draw-'))
await mkdir(images, { recursive: true })
for (const scene of scenes) {
  const { html, width, height } = page(scene)
  await writeFile(join(dir, 'page.html'), html)
  await promisify(execFile)('chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--hide-scrollbars',
    '--disable-background-networking', '--disable-component-update', '--disable-sync', `--user-data-dir=${join(dir, 'profile')}`,
    '--force-device-scale-factor=1.25', `--window-size=${width},${height}`, `--screenshot=${join(images, scene.title + '.png')}`, join(dir, 'page.html')])
}
await writeFile(join(images, 'session.txt'), told(scenes))
